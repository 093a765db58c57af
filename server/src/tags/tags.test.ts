import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { localizedMessageText } from '#contract/reasons.ts'
import { beforeEachHere } from '../test/closing.ts'
import { eventually } from '../test/eventually.ts'
import { postForm } from '../test/post-form.ts'
import { leave, newGuest, received, startTags, visible } from '../test/tags.ts'
import { GUEST_TEXTS } from './guest-pages.ts'

// Windshield tags (decision windshield-tag): the tag, a message left with it, its receipt, and what is found out by guessing.

const tags = await startTags()
after(tags.close)
beforeEachHere(tags.calmDown)
const { app, first, second, db, service, tagged, advanceTime } = tags

describe('the tag of a vehicle', () => {
  test('is shown to its owner alone, and dead on every process as soon as it was revoked or another one was made', async () => {
    const { owner, vehicle, tag, end } = await tagged()
    assert.match(tag.token, /^[\w-]{22}$/)
    assert.match(tag.digits, /^\d{8}$/)
    assert.equal(tag.url, `http://platenote.test/t/${tag.token}`)
    assert.deepEqual((await owner.get('/api/tags')).body, { items: [{ ...tag, vehicle_id: vehicle.id }] })
    assert.deepEqual((await (await app.user()).get('/api/tags')).body, { items: [] })
    const { body: exported } = await owner.get('/api/export')
    assert.equal(exported.vehicles[0].windshield_tag.digits, tag.digits)
    assert.equal((await leave(second.visitor, tag.token, end)).status, 200)
    const path = `/api/vehicles/${vehicle.id}/tag`
    const { body: next } = await owner.post(path)
    assert.notEqual(next.digits, tag.digits)
    for (const [process, old] of [
      [first, tag.token],
      [second, tag.digits],
    ] as const)
      assert.equal((await leave(process.visitor, old, end)).body.REFUSED, 'tag_refused')
    assert.equal((await leave(first.visitor, next.token, end)).status, 200)
    for (const status of [204, 404]) assert.equal((await owner.delete(path)).status, status)
    assert.deepEqual((await owner.get('/api/tags')).body, { items: [] })
    for (const process of [first, second])
      assert.equal((await leave(process.visitor, next.token, end)).body.REFUSED, 'tag_refused')
  })
})

describe('a message left at a vehicle', () => {
  test('reaches the owner as any other does, in the owner’s words, and its receipt shows the answer', async () => {
    const { owner, vehicle, tag, end } = await tagged()
    const left = await leave(first.visitor, tag.digits, end, {
      reason: 'blocked_in',
      chips: ['waiting_here', 'until_0815'],
      language: 'pa',
    })
    assert.equal(left.status, 200)
    const receipt = left.body.RECEIPT
    assert.match(receipt, /^[\w-]{43}$/)
    const [message] = await received(owner)
    assert.deepEqual([message.reason, message.left_at_vehicle, message.plate], ['blocked_in', true, vehicle.plate])
    assert.equal(
      localizedMessageText(message, 'fr-CA'),
      'Bonjour! Votre véhicule bloque le mien et je ne peux pas sortir. Pourriez-vous le déplacer, s’il vous plaît? Merci!' +
        '\nJ’attends sur place.\nJ’attends jusqu’à 8 h 15.',
    )
    const { body: notices } = await owner.get('/api/notifications')
    assert.deepEqual([notices.items[0].type, notices.items[0].data.message_id], ['message_received', message.id])
    const before = await second.visitor.get(`/api/receipts/${receipt}`)
    assert.deepEqual([before.status, before.body], [200, { state: 'left' }])
    await owner.patch(`/api/messages/${message.id}`, { is_read: true })
    assert.equal((await second.visitor.get(`/api/receipts/${receipt}`)).text, before.text) // 'seen' is never shown
    const reply = { answer: 'in_5', reply: 'Sorry!' }
    assert.equal((await owner.post(`/api/messages/${message.id}/reply`, reply)).status, 200)
    assert.deepEqual((await second.visitor.get(`/api/receipts/${receipt}`)).body, { state: 'answered' })
    const page = async () => (await postForm(`${second.url}/r`, { receipt, language: 'pa' })).text
    const { STATE, TIMED_ANSWER, REPLY, ...answered } = JSON.parse(await page())
    assert.deepEqual([STATE, TIMED_ANSWER, REPLY], ['answered', GUEST_TEXTS.pa.answers.in_5, 'Sorry!'])
    for (const secret of [owner.id, owner.email, vehicle.plate, vehicle.id, message.id])
      assert.ok(!JSON.stringify(answered).includes(secret))
    // the owner gives the vehicle up: the holder of the receipt is not notified
    await owner.delete(`/api/vehicles/${vehicle.id}`)
    assert.equal(JSON.parse(await page()).REPLY, REPLY)
    assert.equal((await first.visitor.get(`/api/receipts/${'x'.repeat(43)}`)).status, 404)
  })

  test('is asked about once more after five minutes, once, and of nobody who has blocked its guest; then its receipt says by when somebody comes', async () => {
    const [{ owner, tag, end }, guest] = [await tagged(), newGuest()]
    const receipt = async (more = {}) => {
      const fields = { receipt: left.body.RECEIPT, language: 'es', ...more }
      const { status, text } = await postForm(`${first.url}/r`, fields)
      assert.equal(status, 200)
      const { LATE, CAN_ASK, ASKED, NEXT_IN_MS, TIMED_ANSWER, COMING_BY, CAME_BY } = JSON.parse(text)
      return { LATE, CAN_ASK, ASKED, seconds: Math.ceil(NEXT_IN_MS / 60_000) * 60, TIMED_ANSWER, COMING_BY, CAME_BY }
    }
    const age = (id: string, column: 'inserted_at' | 'replied_at') =>
      db`update messages set ${db(column)} = ${db(column)} - interval '5 minutes' where id = ${id}`
    const reminders = (id: string) => db`
      select 'notice' from notifications where message_id = ${id} and type = 'message_nudged'
      union all select 'mail' from outbox where ref_id = ${id} and kind = 'nudge'`
    const nothing = { LATE: '', CAN_ASK: '', ASKED: '', seconds: 0, TIMED_ANSWER: '', COMING_BY: '', CAME_BY: '' }

    let left = await leave(first.visitor, tag.token, end, { guest, reason: 'blocked_in' })
    const [message] = await received(owner)
    assert.deepEqual(await receipt({ again: 'yes' }), { ...nothing, seconds: 300 })
    await age(message.id, 'inserted_at')
    assert.deepEqual(await receipt(), { ...nothing, LATE: 'yes', CAN_ASK: 'yes' })
    const asked = { ...nothing, LATE: 'yes', ASKED: 'yes' }
    assert.deepEqual(await receipt({ again: 'yes' }), asked)
    assert.deepEqual(await receipt({ again: 'yes' }), asked)
    assert.equal((await reminders(message.id)).length, 2)

    left = await leave(first.visitor, tag.token, end, { guest, reason: 'towing' })
    const [last] = await received(owner)
    await age(last.id, 'inserted_at')
    assert.equal((await owner.post(`/api/messages/${message.id}/block`)).status, 204)
    assert.deepEqual(await receipt({ again: 'yes' }), asked)
    assert.equal((await reminders(last.id)).length, 0)

    assert.equal((await owner.post(`/api/messages/${last.id}/reply`, { answer: 'in_5' })).status, 200)
    const said = { ...nothing, TIMED_ANSWER: GUEST_TEXTS.es.answers.in_5 }
    const [{ replied_at } = { replied_at: '' }] = await db<
      { replied_at: string }[]
    >`select replied_at from messages where id = ${last.id}`
    const by = new Date(Date.parse(replied_at) + 300_000).toISOString()
    assert.deepEqual(await receipt(), { ...said, seconds: 300, COMING_BY: by })
    await age(last.id, 'replied_at')
    const before = new Date(Date.parse(by) - 300_000).toISOString()
    assert.deepEqual(await receipt(), { ...said, LATE: 'yes', CAME_BY: before })
  })

  test('needs all characters of a short plate, in capitals or not, and no hyphen', async () => {
    const short = await tagged('7Q')
    assert.equal((await leave(first.visitor, short.tag.token, 'Q')).status, 403)
    assert.equal((await leave(first.visitor, short.tag.token, '7q')).status, 200)
    const hyphen = await tagged('KWB-9-4')
    assert.equal((await leave(first.visitor, hyphen.tag.token, 'B–94')).status, 200)
    const { token, digits } = hyphen.tag
    assert.equal((await leave(first.visitor, `${digits.slice(0, 4)} ${digits.slice(4)}`, 'b94')).status, 200)
    assert.equal((await leave(first.visitor, `${token}x`, 'b94')).status, 403)
  })

  test('is pushed once to the phone that asked for it, in the guest’s language', async () => {
    const { owner, tag, end } = await tagged()
    const { RECEIPT: receipt, PUSH_KEY } = (await leave(first.visitor, tag.token, end, { language: 'ar' })).body
    const device = service.browser()
    const { endpoint, keys } = device
    const path = `/api/receipts/${receipt}/push`
    assert.ok(PUSH_KEY.length > 80)
    assert.equal((await first.visitor.post(path, { endpoint: 'https://evil.example/x', keys })).status, 400)
    assert.equal((await first.visitor.post(`/api/receipts/${'x'.repeat(43)}/push`, { endpoint, keys })).status, 404)
    assert.equal((await first.visitor.post(path, { endpoint, keys })).status, 204)
    assert.equal((await first.visitor.post(path, { endpoint, keys })).status, 204)
    const [stored] = await db`select * from receipt_pushes where endpoint = ${endpoint}`
    assert.ok(!JSON.stringify(stored).includes(receipt))
    const [message] = await received(owner)
    await owner.post(`/api/messages/${message.id}/reply`, { answer: 'coming' })
    const [push] = await device.pushes()
    const { title, lang, dir, navigate } = push!.payload
    assert.deepEqual([title, lang, dir], ['أجاب المالك', 'ar', 'rtl'])
    assert.equal(navigate, `http://platenote.test/r#${receipt}`)
    await eventually(async () => {
      const waiting = await db`select from receipt_pushes where endpoint = ${endpoint}`
      return waiting.length === 0 || undefined
    })
    assert.equal(device.taken().length, 1)
  })
})

test('a form says at each field what is wrong, in the language that was chosen, and gives back what was typed; another site’s form leaves nothing', async () => {
  const { owner, tag, end } = await tagged()
  const form = async (path: string, fields: Record<string, string>, headers = {}) => {
    const { status, text } = await postForm(first.url + path, fields, { ...newGuest(), ...headers })
    return { status, slots: JSON.parse(text) as Record<string, string> }
  }
  const right = { digits: tag.digits, plate_end: end, reason: 'alarm' }
  assert.equal((await form('/t', right, { 'sec-fetch-site': 'cross-site' })).status, 403)
  const wrong = await form('/t', { digits: '1234', plate_end: 'ZZ<', language: 'ar' })
  const { tag: texts } = GUEST_TEXTS.ar
  assert.deepEqual(
    [
      wrong.status,
      wrong.slots['DIGITS'],
      wrong.slots['PLATE_END'],
      wrong.slots['DIGITS_ERROR'],
      wrong.slots['REASON_ERROR'],
    ],
    [400, '1234', 'ZZ<', texts.digits_missing, texts.reason_missing],
  )
  assert.ok(wrong.slots['PLATE_END_ERROR']!.includes('<'))
  assert.equal((await received(owner)).length, 0)
  const refused = await form(`/fr/t/${tag.token}`, { ...right, plate_end: 'ZZZ' })
  assert.deepEqual([refused.status, refused.slots['ERROR']], [403, GUEST_TEXTS.fr.tag.refused])

  const left = await form('/t', { ...right, language: 'it' })
  assert.deepEqual(
    [left.status, left.slots['STATE'], left.slots['REASON']],
    [200, 'left', GUEST_TEXTS.it.reasons.alarm],
  )
  const receipt = left.slots['RECEIPT']!
  const [message] = await received(owner)
  assert.equal((await owner.post(`/api/messages/${message.id}/reply`, { answer: 'coming' })).status, 200)
  const answered = await form('/r', { receipt, language: 'es' })
  assert.deepEqual([answered.slots['STATE'], answered.slots['ANSWER']], ['answered', GUEST_TEXTS.es.answers.coming])
  assert.deepEqual(await form('/r', { receipt: 'made-up' }), { status: 404, slots: { STATE: 'gone', GONE: 'yes' } })
})

describe('until the characters are right', () => {
  // in the same time too: server/src/messages/timing.test.ts
  test('live, revoked, paused and unknown tags answer with the same bytes', async () => {
    const [live, revoked, paused] = [await tagged(), await tagged(), await tagged()]
    await revoked.owner.delete(`/api/vehicles/${revoked.vehicle.id}/tag`)
    await paused.owner.patch(`/api/vehicles/${paused.vehicle.id}`, { paused: true })
    const tries = {
      live: live.tag.token,
      liveByDigits: live.tag.digits,
      revoked: revoked.tag.token,
      revokedByDigits: revoked.tag.digits,
      paused: paused.tag.token,
      unknown: 'never-made-by-anybody1',
      unknownDigits: '00000000',
    }
    const seen = new Map<string, string>()
    for (const [name, reference] of Object.entries(tries))
      seen.set(name, visible(await leave(first.visitor, reference, 'ZZZ')))
    assert.equal(new Set(seen.values()).size, 1, [...seen].join('\n'))
    assert.ok(seen.get('live')!.includes('tag_refused'))
  })

  test('the third wrong try puts the tag to sleep for an hour, be there one or not, by token and digits together', async () => {
    const { tag, end, owner } = await tagged()
    const wrong = [
      await leave(first.visitor, tag.token, 'ZZZ'),
      await leave(second.visitor, tag.digits, 'ZZZ'),
      await leave(first.visitor, tag.token, 'ZZZ'),
    ]
    const asleep = await leave(second.visitor, tag.digits, end)
    const unknown = await leave(second.visitor, 'never-made-by-anybody2', end)
    assert.equal(new Set([...wrong, asleep, unknown].map(visible)).size, 1)
    await advanceTime('58 minutes')
    assert.equal((await leave(first.visitor, tag.token, end)).status, 403)
    await advanceTime('3 minutes')
    // tries count in an hour only: two more are not yet too many
    for (let i = 0; i < 2; i++) await leave(first.visitor, tag.token, 'ZZZ')
    assert.equal((await leave(first.visitor, tag.token, end)).status, 200)
    assert.equal((await received(owner)).length, 1)
  })

  test('a paused or suspended owner’s tag answers as one that sleeps', async () => {
    const { owner, vehicle, tag, end } = await tagged()
    const sleeping = await leave(first.visitor, 'never-made-by-anybody3', end)
    await owner.patch(`/api/vehicles/${vehicle.id}`, { paused: true })
    for (let i = 0; i < 4; i++) assert.equal(visible(await leave(first.visitor, tag.token, end)), visible(sleeping))
    await owner.patch(`/api/vehicles/${vehicle.id}`, { paused: false })
    assert.equal((await leave(first.visitor, tag.token, end)).status, 200)
  })
})
