import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { m } from '#texts/messages.js'
import { type Caller, testApp } from '../test/app.ts'
import { beforeEachHere } from '../test/closing.ts'
import { fieldsOf } from '../test/fields.ts'
import { postForm } from '../test/post-form.ts'
import { codes, leave, newGuest, received, startTags, visible } from '../test/tags.ts'
import { join } from '../test/vehicle-people.ts'

// What limits guests at windshield tags: counts, blocks, and a computation when many tries fail (decision windshield-tag).

const tags = await startTags()
after(tags.close)
beforeEachHere(tags.calmDown)
const { app, first, second, db, settings, tagged, advanceTime } = tags

describe('limits, over two processes and a restart', () => {
  test('4 messages an hour and 10 a day for a tag', async () => {
    const { owner, tag, end } = await tagged()
    const send = (i: number) => leave(i % 2 ? first.visitor : second.visitor, i % 2 ? tag.token : tag.digits, end)
    const all = await Promise.all([0, 1, 2, 3, 4, 5].map(send))
    assert.deepEqual(codes(all).toSorted(), [200, 200, 200, 200, 'tag_refused', 'tag_refused'])
    const restarted = await testApp({ sibling: app, settings })
    assert.equal((await leave(restarted.visitor, tag.token, end)).body.REFUSED, 'tag_refused')
    await restarted.close()
    for (const span of ['62 minutes', '62 minutes']) {
      await advanceTime(span)
      for (let i = 0; i < 5; i++) await send(i)
    }
    assert.equal((await received(owner)).length, 10)
    await advanceTime('24 hours')
    assert.equal((await send(0)).status, 200)
  })

  test('5 a day for a device, said before anything about the tag', async () => {
    const guest = newGuest()
    const tags = await Promise.all([0, 1, 2].map(() => tagged()))
    for (let i = 0; i < 5; i++) {
      const { tag, end } = tags[i % 3]!
      assert.equal((await leave(i % 2 ? first.visitor : second.visitor, tag.token, end, { guest })).status, 200)
    }
    const { tag, end } = tags[2]!
    const right = await leave(second.visitor, tag.token, end, { guest })
    const unknown = await leave(first.visitor, 'never-made-by-anybody4', 'ZZZ', { guest })
    assert.deepEqual([right.status, right.body.ERROR], [429, unknown.body.ERROR])
    // the same device elsewhere is the same device
    assert.equal(
      (await leave(first.visitor, tag.token, end, { guest: { ...guest, 'x-forwarded-for': '10.200.1.1' } })).status,
      429,
    )
    assert.equal((await leave(first.visitor, tag.token, end)).status, 200)
  })
})

describe('a guest whom the owner has blocked or reported', () => {
  test('reads what everybody reads, from another network or with another device too, and reaches nobody', async () => {
    const [{ owner, tag, end }, other] = [await tagged(), await tagged()]
    const guest = newGuest()
    await leave(first.visitor, tag.token, end, { guest })
    const [message] = await received(owner)
    assert.equal((await owner.post(`/api/messages/${message.id}/report`, { reason: 'harassment' })).status, 201)
    assert.equal((await owner.post(`/api/messages/${message.id}/block`)).status, 204)
    const [block] = (await owner.get('/api/blocks')).body.items
    assert.deepEqual([block.plate, block.view], [message.plate, 'received'])

    const elsewhere = { ...guest, 'x-forwarded-for': newGuest()['x-forwarded-for'] }
    const otherDevice = { ...newGuest(), 'x-forwarded-for': guest['x-forwarded-for'] }
    const responses = [
      await leave(second.visitor, tag.token, end, { guest }),
      await leave(second.visitor, tag.token, end, { guest: elsewhere, reason: 'someone_inside' }),
      await leave(second.visitor, tag.token, end, { guest: otherDevice }),
    ]
    assert.deepEqual(codes(responses), [200, 200, 200])
    const { body: receipt } = await first.visitor.get(`/api/receipts/${responses[0]!.body.RECEIPT}`)
    assert.equal(receipt.state, 'left')
    assert.equal((await received(owner)).length, 1)
    await advanceTime('61 minutes')
    // from a network that others may use, what cannot wait comes through
    await leave(first.visitor, tag.token, end, { guest: otherDevice, reason: 'someone_inside' })
    assert.deepEqual(fieldsOf(await received(owner), 'reason'), ['someone_inside', 'lights_on'])
    // others are still reached, by this guest too
    assert.equal((await leave(first.visitor, other.tag.token, other.end, { guest })).status, 200)
    assert.equal((await received(other.owner)).length, 1)
    // the report is about the device, under one subject for all of its messages
    const [again] = await received(other.owner)
    assert.equal((await other.owner.post(`/api/messages/${again.id}/report`, { reason: 'spam' })).status, 201)
    const subjects =
      await db`select distinct subject_id from report_cases where message_id in (${message.id}, ${again.id})`
    assert.equal(subjects.length, 1)
  })
})

test('a guest whom a driver has blocked reaches nobody of the vehicle from the network, but with what cannot wait, and for 30 days', async () => {
  const { owner, vehicle, tag, end } = await tagged()
  const driver = await app.user()
  await join(owner, vehicle.id, driver)
  const guest = newGuest()
  /** Leaves a message with a new device of the network. Returns how many more the owner and the driver have then. */
  const leaveFromNetwork = async (reason: string) => {
    const before = [(await received(owner)).length, (await received(driver)).length]
    const device = { ...newGuest(), 'x-forwarded-for': guest['x-forwarded-for'] }
    assert.equal((await leave(first.visitor, tag.token, end, { guest: device, reason })).status, 200)
    return [(await received(owner)).length - before[0]!, (await received(driver)).length - before[1]!]
  }
  assert.equal((await leave(first.visitor, tag.token, end, { guest })).status, 200)
  const [message] = await received(driver)
  const notified = await db`select from notifications where message_id = ${message.id} and type = 'message_received'`
  assert.equal(notified.length, 2)
  assert.equal((await driver.post(`/api/messages/${message.id}/block`)).status, 204)
  assert.deepEqual(await leaveFromNetwork('alarm'), [0, 0])
  assert.deepEqual(await leaveFromNetwork('towing'), [1, 1]) // the network may be anybody's
  await db`update blocks set created_at = created_at - interval '30 days 1 minute' where user_id = ${driver.id}`
  assert.deepEqual(await leaveFromNetwork('alarm'), [1, 1])
})

describe('when many tries fail, in the whole installation', () => {
  const note = { code: '1234 5678 9012', plate: 'NOBODY' }
  const openNote = (who: Caller, headers: Record<string, string> = newGuest()) =>
    who.post('/n', new URLSearchParams(note), headers)

  async function proofHeader(from: Caller): Promise<Record<string, string>> {
    const { status, body: challenge, text } = await from.get('/api/proof-of-work')
    assert.equal(status, 200, text)
    const solution = await solveChallenge({ challenge, deriveKey })
    return { 'proof-of-work': Buffer.from(JSON.stringify({ challenge, solution })).toString('base64') }
  }

  test('every try needs a computation, each good for one; on a calm day none does', async () => {
    const [{ owner, tag, end }, revoked] = [await tagged(), await tagged()]
    await revoked.owner.delete(`/api/vehicles/${revoked.vehicle.id}/tag`)
    const failed = await Promise.all(
      Array.from({ length: 97 }, (_, i) => leave(i % 2 ? first.visitor : second.visitor, `4321${1000 + i}`, 'ZZZ')),
    )
    for (const who of [first.visitor, second.visitor]) failed.push(await openNote(who))
    assert.deepEqual(new Set(codes(failed)), new Set(['tag_refused', 'note_not_found']))
    assert.equal((await leave(second.visitor, tag.token, end)).status, 200) // 99 have failed
    assert.equal((await leave(second.visitor, tag.token, 'ZZZ')).body.REFUSED, 'tag_refused')

    // whatever the tag, the note and the characters are
    const asked = [
      await leave(first.visitor, tag.token, end),
      await leave(second.visitor, tag.digits, 'ZZZ'),
      await leave(first.visitor, revoked.tag.token, revoked.end),
      await leave(second.visitor, 'never-made-by-anybody5', end),
    ]
    const askedOfNotes = [
      await openNote(first.visitor),
      await owner.post('/api/notes/claim', note, newGuest()).then(() => openNote(second.visitor)),
    ]
    for (const same of [asked, askedOfNotes]) {
      assert.equal(new Set(same.map(visible)).size, 1, JSON.stringify(codes(same)))
      assert.equal(same[0]!.body.REFUSED, 'proof_needed')
    }
    const form = (path: string, fields: Record<string, string>) => postForm(first.url + path, fields, newGuest())
    const page = await form(`/t/${tag.token}`, { plate_end: end, reason: 'alarm', language: 'es' })
    assert.equal(page.status, 403)
    assert.match(page.text, /"REFUSED":"proof_needed".*Permita JavaScript/)
    const notePage = await form('/fr/n', note)
    assert.ok(notePage.text.includes(m.refusal_proof_needed({}, { locale: 'fr-CA' })))

    const proof = await proofHeader(first.visitor)
    const { challenge, solution } = JSON.parse(Buffer.from(proof['proof-of-work']!, 'base64').toString())
    const forged = [
      { challenge: { ...challenge, parameters: { ...challenge.parameters, cost: 1 } }, solution },
      {
        challenge: {
          ...challenge,
          parameters: { ...challenge.parameters, expiresAt: challenge.parameters.expiresAt + 60 },
        },
        solution,
      },
      { challenge, solution: { ...solution, derivedKey: challenge.parameters.keyPrefix } },
      { challenge: {}, solution: {} },
      null,
    ]
    for (const one of forged) {
      const header = Buffer.from(JSON.stringify(one)).toString('base64')
      const response = await leave(first.visitor, tag.token, end, { guest: { ...newGuest(), 'proof-of-work': header } })
      assert.equal(response.body.REFUSED, 'proof_needed', JSON.stringify(one))
    }
    const tries = await Promise.all(
      [first, second, first, second].map(({ visitor }) =>
        leave(visitor, tag.token, end, { guest: { ...newGuest(), ...proof } }),
      ),
    )
    assert.deepEqual(codes(tries).toSorted(), [200, 'proof_needed', 'proof_needed', 'proof_needed'])
    const another = { ...newGuest(), ...(await proofHeader(second.visitor)) }
    assert.equal((await openNote(first.visitor, another)).body.REFUSED, 'note_not_found')

    await advanceTime('11 minutes')
    assert.equal((await leave(first.visitor, tag.token, end)).status, 200)
    assert.equal((await openNote(second.visitor)).body.REFUSED, 'note_not_found')
  })
})
