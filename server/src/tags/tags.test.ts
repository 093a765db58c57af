import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import fc from 'fast-check'
import { errorText } from '#contract/errors.ts'
import { GUEST_CHIPS } from '#contract/guest-chips.ts'
import { GUEST_LANGUAGES } from '#contract/guest-languages.ts'
import { GUEST_REASONS } from '#contract/guest-texts.ts'
import { localizedMessageText, messageTemplate } from '#contract/reasons.ts'
import { sample } from '../../../scripts/lib/sample.mjs'
import type { Db, Pool } from '../db/pool.ts'
import { type Caller, type Person, type TestResponse, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { startFakePushService } from '../test/fake-push-service.ts'
import { postForm } from '../test/post-form.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { deleteOldReceipts } from './queries.ts'

// Windshield tags (decision 0096). Owners are created with raised limits; guests meet the real ones, on two processes.

const service = await startFakePushService()
const app = await testApp({ settings: { TRUST_PROXY: '127.0.0.1', PUSH_HOSTS: service.origin } })
const settings = { LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1', PUSH_HOSTS: service.origin, ROLE: 'web' }
const first = await testApp({ sibling: app, settings })
const second = await testApp({ sibling: app, settings })
after(async () => {
  await second.close()
  await first.close()
  await app.close()
  await service.close()
})
const { db } = app

// each begins on a calm day
beforeEach(async () => {
  await db`delete from rate_counters where key = 'ceiling:guestFailures'`
})

type Tag = { token: string; digits: string; url: string; created_at: string }
type Tagged = { owner: Person; vehicle: { id: string; plate: string }; tag: Tag; end: string }

async function tagged(plate?: string): Promise<Tagged> {
  const owner = await app.user()
  const vehicle = await app.vehicle(owner, plate === undefined ? {} : { plate })
  const { status, body, text } = await owner.post(`/api/vehicles/${vehicle.id}/tag`)
  assert.equal(status, 201, text)
  return { owner, vehicle, tag: body, end: vehicle.plate.replaceAll('-', '').slice(-3) }
}

let guests = 0
/** Returns the headers of somebody on a network of their own, with a device of their own. */
function newGuest() {
  guests++
  return {
    'x-forwarded-for': `10.${guests >> 8}.${guests & 255}.1`,
    'guest-device': `device-${String(guests).padStart(20, '0')}`,
  }
}

const leave = (
  who: Caller,
  reference: string,
  plate_end: string,
  { guest = newGuest(), ...more }: { guest?: Record<string, string> } & Record<string, unknown> = {},
): Promise<TestResponse> =>
  who.post(`/api/tags/${encodeURIComponent(reference)}/messages`, { plate_end, reason: 'lights_on', ...more }, guest)

const received = async (owner: Caller) => (await owner.get('/api/messages?view=received&limit=100')).body.items

const codes = (responses: TestResponse[]) => responses.map(({ status, body }) => (status === 201 ? 201 : body.code))

/** Lets time pass for what limits and sleep are made of: by way of another year, as no two rows may meet on the way. */
async function advanceTime(span: string) {
  for (const move of [`-1000 days -${span}`, '1000 days'])
    await db`
      update rate_counters set window_start = case when window_start > 'epoch' then window_start + ${move}::interval
        else window_start end, expires_at = expires_at + ${move}::interval`
}

/** Returns everything of a response but what no two responses share. */
const visible = ({ status, headers, text }: TestResponse) =>
  JSON.stringify([status, [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)), text])

describe('the tag of a vehicle', () => {
  test('is made, shown, listed and revoked by its owner alone, and never stored in clear', async () => {
    const { owner, vehicle, tag } = await tagged()
    assert.match(tag.token, /^[\w-]{22}$/)
    assert.match(tag.digits, /^\d{8}$/)
    assert.equal(tag.url, `http://platenote.test/t/${tag.token}`)
    const path = `/api/vehicles/${vehicle.id}/tag`
    assert.deepEqual((await owner.get(path)).body, tag)
    assert.deepEqual((await owner.get('/api/tags')).body, { items: [{ ...tag, vehicle_id: vehicle.id }] })
    const stranger = await app.user()
    for (const answer of [await stranger.get(path), await stranger.post(path), await stranger.delete(path)])
      assert.equal(answer.status, 404)
    assert.deepEqual((await stranger.get('/api/tags')).body, { items: [] })
    const dump = JSON.stringify(await db`select * from tags`) + JSON.stringify(await db`select * from rate_counters`)
    assert.ok(!dump.includes(tag.token) && !dump.includes(tag.digits))
    const { body: exported } = await owner.get('/api/export')
    assert.equal(exported.vehicles[0].windshield_tag.digits, tag.digits)
    assert.equal((await owner.delete(path)).status, 204)
    assert.equal((await owner.delete(path)).status, 404)
    assert.equal((await owner.get(path)).status, 404)
  })

  test('goes with the vehicle, and with the account', async () => {
    const [one, two] = [await tagged(), await tagged()]
    await one.owner.delete(`/api/vehicles/${one.vehicle.id}`)
    assert.equal((await two.owner.post('/functions/v1/delete-user', { id: two.owner.id })).status, 200)
    for (const { tag, end } of [one, two]) assert.equal((await leave(first.visitor, tag.token, end)).status, 403)
    const left = await db`select from tags where vehicle_id in (${one.vehicle.id}, ${two.vehicle.id})`
    assert.equal(left.length, 0)
  })

  test('is dead on every process as soon as it was revoked, or another one was made', async () => {
    const { owner, vehicle, tag, end } = await tagged()
    assert.equal((await leave(second.visitor, tag.token, end)).status, 201)
    const { body: next } = await owner.post(`/api/vehicles/${vehicle.id}/tag`)
    assert.notEqual(next.digits, tag.digits)
    for (const [process, old] of [
      [first, tag.token],
      [second, tag.digits],
    ] as const)
      assert.equal((await leave(process.visitor, old, end)).body.code, 'tag_refused')
    assert.equal((await leave(first.visitor, next.token, end)).status, 201)
    await owner.delete(`/api/vehicles/${vehicle.id}/tag`)
    for (const process of [first, second])
      assert.equal((await leave(process.visitor, next.token, end)).body.code, 'tag_refused')
  })
})

describe('a message left at a vehicle', () => {
  test('reaches the owner as any other does, in the owner’s words, and its receipt shows the answer', async () => {
    const { owner, vehicle, tag, end } = await tagged()
    await owner.patch('/api/preferences', { email_message_text: true })
    const stream = await openStream(app.url, owner.token)
    const left = await leave(first.visitor, tag.digits, end, {
      reason: 'blocked_in',
      chips: ['waiting_here', 'until_0815'],
      language: 'pa',
    })
    assert.equal(left.status, 201)
    const { receipt } = left.body
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
    await eventually(async () => {
      const mails = await app.mails(owner.email)
      return (
        mails.some(({ html }) => /I am waiting here\.[\s\S]*I am waiting until 8:15 a\.\s?m\./.test(html)) || undefined
      )
    })
    await eventually(async () => stream.raw().includes(message.id) || undefined)
    await stream.close()

    const before = await second.visitor.get(`/api/receipts/${receipt}`)
    assert.deepEqual(
      [before.status, before.body.state, before.body.language, before.body.reply],
      [200, 'left', 'pa', null],
    )
    await owner.patch(`/api/messages/${message.id}`, { is_read: true })
    assert.equal((await second.visitor.get(`/api/receipts/${receipt}`)).text, before.text) // 'seen' is never shown
    const reply = { answer: 'in_5', reply: 'Sorry!' }
    assert.equal((await owner.post(`/api/messages/${message.id}/reply`, reply)).status, 200)
    const { body: answered } = await second.visitor.get(`/api/receipts/${receipt}`)
    assert.deepEqual([answered.state, answered.answer, answered.reply], ['answered', 'in_5', 'Sorry!'])
    for (const secret of [owner.id, owner.email, vehicle.plate, vehicle.id, message.id])
      assert.ok(!JSON.stringify(answered).includes(secret))
    // the owner gives the vehicle up: whoever has the receipt is not told
    await owner.delete(`/api/vehicles/${vehicle.id}`)
    assert.deepEqual((await first.visitor.get(`/api/receipts/${receipt}`)).body, answered)
    assert.equal((await first.visitor.get(`/api/receipts/${'x'.repeat(43)}`)).status, 404)
  })

  test('needs all characters of a short plate, in capitals or not, and no hyphen', async () => {
    const short = await tagged('7Q')
    assert.equal((await leave(first.visitor, short.tag.token, 'Q')).status, 403)
    assert.equal((await leave(first.visitor, short.tag.token, '7q')).status, 201)
    const hyphen = await tagged('KWB-9-4')
    assert.equal((await leave(first.visitor, hyphen.tag.token, 'B-94')).status, 201)
    const { token, digits } = hyphen.tag
    assert.equal((await leave(first.visitor, `${digits.slice(0, 4)} ${digits.slice(4)}`, 'b94')).status, 201)
    assert.equal((await leave(first.visitor, `${token}x`, 'b94')).status, 403)
  })

  test('is told once to the phone that asked for it, in the guest’s language', async () => {
    const { owner, tag, end } = await tagged()
    const { body } = await leave(first.visitor, tag.token, end, { language: 'ar' })
    const { receipt } = body
    const device = service.browser()
    const { endpoint, keys } = device
    const path = `/api/receipts/${receipt}/push`
    assert.ok((await first.visitor.get(`/api/receipts/${receipt}`)).body.push_key.length > 80)
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

  test('is one of the known sentences, or refused, whatever bytes a guest sends', async () => {
    const { owner, tag, end } = await tagged()
    const open = app.visitor // its limits are raised: what is refused here is refused for its bytes
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(end, '', '__proto__', '<b>x'))
    const anything = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }))
    const body = fc.record(
      {
        plate_end: fc.oneof({ weight: 8, arbitrary: fc.constant(end) }, text),
        reason: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...GUEST_REASONS) }, anything),
        chips: fc.oneof(fc.array(fc.oneof(fc.constantFrom(...GUEST_CHIPS), text), { maxLength: 4 }), anything),
        language: fc.oneof(fc.constantFrom(...GUEST_LANGUAGES), anything),
        content: text,
        reply: text,
      },
      { requiredKeys: ['plate_end', 'reason'] },
    )
    const known = new Set(GUEST_REASONS.map((reason) => messageTemplate(reason, 'fr-CA')))
    let taken = 0
    await fc.assert(
      fc.asyncProperty(body, async (fields) => {
        const { status } = await leave(open, tag.token, '', fields as Record<string, unknown>)
        assert.ok([201, 400, 403, 429].includes(status), String(status))
        if (status !== 201) return
        taken++
        const [message] = (await owner.get('/api/messages?view=received&limit=1')).body.items
        const [sentence, ...chips] = localizedMessageText(message, 'fr-CA').split('\n')
        assert.ok(known.has(sentence!), String(sentence))
        for (const chip of chips)
          assert.match(chip, /^(?:J’attends sur place|Rien ne presse|J’attends jusqu’à \d+ h \d\d)\.$/)
      }),
      { numRuns: sample.rounds(400, 60), seed: Math.floor(sample.random('tags')() * 2 ** 31) },
    )
    assert.ok(taken > 0)
  })
})

describe('until the characters are right', () => {
  test('live, revoked, paused and unknown tags answer with the same bytes, by the same statements', async (t) => {
    const statements: string[] = []
    const watched = await startSiblingServer({ ...first.context, db: recordStatements(first.context.db, statements) })
    t.after(() => watched.close())
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
    for (const [name, reference] of Object.entries(tries)) {
      statements.length = 0
      const response = await fetch(`${watched.url}/api/tags/${reference}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...newGuest() },
        body: JSON.stringify({ plate_end: 'ZZZ', reason: 'alarm' }),
      })
      const answer = visible({
        status: response.status,
        headers: response.headers,
        text: await response.text(),
        body: null,
      })
      seen.set(name, JSON.stringify([answer, statements]))
    }
    assert.equal(new Set(seen.values()).size, 1, [...seen].join('\n'))
    assert.ok(seen.get('live')!.includes('insert into rate_counters'))
    assert.ok(seen.get('live')!.includes('tag_refused'))
  })

  test('a tag that is there is refused no slower than one that is not', async () => {
    const { tag } = await tagged()
    const time = async (reference: string) => {
      const begun = performance.now()
      assert.equal((await leave(app.visitor, reference, 'ZZZ')).status, 403)
      return performance.now() - begun
    }
    const ratios: number[] = []
    for (let i = 0; i < 40; i++) {
      const early = i % 2 ? await time(tag.token) : undefined
      const other = await time('never-made-by-anybody6')
      ratios.push((early ?? (await time(tag.token))) / other)
    }
    const median = ratios.toSorted((a, b) => a - b)[ratios.length / 2]!
    assert.ok(median > 0.65 && median < 1.55, String(median))
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
    assert.equal((await leave(first.visitor, tag.token, end)).status, 201)
    assert.equal((await received(owner)).length, 1)
  })

  test('a paused or suspended owner’s tag answers as one that sleeps', async () => {
    const { owner, vehicle, tag, end } = await tagged()
    const sleeping = await leave(first.visitor, 'never-made-by-anybody3', end)
    await owner.patch(`/api/vehicles/${vehicle.id}`, { paused: true })
    for (let i = 0; i < 4; i++) assert.equal(visible(await leave(first.visitor, tag.token, end)), visible(sleeping))
    await owner.patch(`/api/vehicles/${vehicle.id}`, { paused: false })
    assert.equal((await leave(first.visitor, tag.token, end)).status, 201)
  })
})

describe('limits, over two processes and a restart', () => {
  test('4 messages an hour and 10 a day for a tag', async () => {
    const { owner, tag, end } = await tagged()
    const send = (i: number) => leave(i % 2 ? first.visitor : second.visitor, i % 2 ? tag.token : tag.digits, end)
    const all = await Promise.all([0, 1, 2, 3, 4, 5].map(send))
    assert.deepEqual(codes(all).toSorted(), [201, 201, 201, 201, 'tag_refused', 'tag_refused'])
    const restarted = await testApp({ sibling: app, settings })
    assert.equal((await leave(restarted.visitor, tag.token, end)).body.code, 'tag_refused')
    await restarted.close()
    for (const span of ['62 minutes', '62 minutes']) {
      await advanceTime(span)
      for (let i = 0; i < 5; i++) await send(i)
    }
    assert.equal((await received(owner)).length, 10)
    await advanceTime('24 hours')
    assert.equal((await send(0)).status, 201)
  })

  test('5 a day for a device, said before anything about the tag', async () => {
    const guest = newGuest()
    const tags = await Promise.all([0, 1, 2].map(() => tagged()))
    for (let i = 0; i < 5; i++) {
      const { tag, end } = tags[i % 3]!
      assert.equal((await leave(i % 2 ? first.visitor : second.visitor, tag.token, end, { guest })).status, 201)
    }
    const { tag, end } = tags[2]!
    const right = await leave(second.visitor, tag.token, end, { guest })
    const unknown = await leave(first.visitor, 'never-made-by-anybody4', 'ZZZ', { guest })
    assert.deepEqual([right.status, right.text], [429, unknown.text])
    // the same device elsewhere is the same device
    assert.equal(
      (await leave(first.visitor, tag.token, end, { guest: { ...guest, 'x-forwarded-for': '10.200.1.1' } })).status,
      429,
    )
    assert.equal((await leave(first.visitor, tag.token, end)).status, 201)
  })

  test('20 a day for a /64, however many devices it claims to have', async () => {
    const statuses: number[] = []
    const tags = await Promise.all([0, 1, 2, 3, 4, 5].map(() => tagged()))
    for (let i = 0; i < 22; i++) {
      const { tag, end } = tags[i % 6]!
      const guest = { ...newGuest(), 'x-forwarded-for': `2001:db8:77:1::${i + 1}` }
      statuses.push((await leave(i % 2 ? first.visitor : second.visitor, tag.token, end, { guest })).status)
    }
    assert.deepEqual(statuses, [...Array<number>(20).fill(201), 429, 429])
  })

  test('LIMIT_SCALE multiplies all of them, those of notes too', async (t) => {
    const half = await testApp({ sibling: app, settings: { ...settings, LIMIT_SCALE: '0.5' } })
    t.after(() => half.close())
    const repeat = async (count: number, call: (i: number) => Promise<TestResponse>) => {
      const all: TestResponse[] = []
      for (let i = 0; i < count; i++) all.push(await call(i))
      return codes(all)
    }
    const [{ owner, tag, end }, other] = [await tagged(), await tagged()]
    assert.deepEqual(await repeat(3, () => leave(half.visitor, tag.token, end)), [201, 201, 'tag_refused'])
    assert.deepEqual(await repeat(2, () => leave(half.visitor, other.tag.token, 'ZZZ')), ['tag_refused', 'tag_refused'])
    // the first of two wrong tries put it to sleep
    assert.equal((await leave(half.visitor, other.tag.token, other.end)).body.code, 'tag_refused')
    const guest = newGuest()
    const unknown = await repeat(16, (i) => leave(half.visitor, `9876${1000 + i}`, 'ZZZ', { guest }))
    assert.equal(unknown.filter((code) => code === 'tag_refused').length, 15)
    const plate = 'HALFNOTE'
    const { body } = await owner.post('/api/notes', { plate, content: 'Your window is open' })
    const open = (typed: string) => half.visitor.post('/api/notes/open', { code: body.code, plate: typed }, newGuest())
    assert.deepEqual(await repeat(5, () => open('WRONG')), Array(5).fill('note_not_found'))
    assert.equal((await open(plate)).body.code, 'note_not_found')
  })

  test('30 tries an hour for a network, whichever tags it tries', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 32; i++) {
      const guest = { ...newGuest(), 'x-forwarded-for': '10.201.1.1' }
      statuses.push((await leave(i % 2 ? first.visitor : second.visitor, `1234${1000 + i}`, 'ZZZ', { guest })).status)
    }
    assert.deepEqual(statuses, [...Array<number>(30).fill(403), 429, 429])
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
    const answers = [
      await leave(second.visitor, tag.token, end, { guest }),
      await leave(second.visitor, tag.token, end, { guest: elsewhere, reason: 'someone_inside' }),
      await leave(second.visitor, tag.token, end, { guest: otherDevice }),
    ]
    assert.deepEqual(codes(answers), [201, 201, 201])
    const { body: receipt } = await first.visitor.get(`/api/receipts/${answers[0]!.body.receipt}`)
    assert.deepEqual([receipt.state, receipt.reason], ['left', 'lights_on'])
    assert.equal((await received(owner)).length, 1)
    await advanceTime('61 minutes')
    // from a network that others may use, what cannot wait comes through
    await leave(first.visitor, tag.token, end, { guest: otherDevice, reason: 'someone_inside' })
    assert.deepEqual(
      (await received(owner)).map(({ reason }: { reason: string }) => reason),
      ['someone_inside', 'lights_on'],
    )
    // others are still reached, by this guest too
    assert.equal((await leave(first.visitor, other.tag.token, other.end, { guest })).status, 201)
    assert.equal((await received(other.owner)).length, 1)
    // the report is about the device, under one subject for all of its messages
    const [again] = await received(other.owner)
    assert.equal((await other.owner.post(`/api/messages/${again.id}/report`, { reason: 'spam' })).status, 201)
    const subjects =
      await db`select distinct subject_id from report_cases where message_id in (${message.id}, ${again.id})`
    assert.equal(subjects.length, 1)
  })
})

describe('without scripts', () => {
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = newGuest()) =>
    postForm(first.url + path, fields, headers)

  test('the form leaves a message, and the receipt shows the answer, in the language that was chosen', async () => {
    const { owner, tag, end } = await tagged()
    const missing = await form(`/t/${tag.token}`, { plate_end: end, language: 'ar' })
    assert.equal(missing.status, 400)
    assert.match(missing.text, /<html lang="ar" dir="rtl">[\s\S]*اختر ما الأمر/)
    const wrong = await form('/t', { digits: tag.digits, plate_end: 'ZZ<', reason: 'alarm', language: 'es' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /value="ZZ&lt;"/)
    const refused = await form('/t', { digits: tag.digits, plate_end: 'ZZZ', reason: 'alarm', language: 'es' })
    assert.equal(refused.status, 403)
    assert.match(
      refused.text,
      /value="alarm" required checked[\s\S]*tarjeta|tarjeta[\s\S]*value="alarm" required checked/,
    )
    const left = await form(`/fr/t/${tag.token}`, {
      plate_end: end,
      reason: 'alarm',
      chips: 'waiting_here',
      language: 'fr',
    })
    assert.equal(left.status, 200)
    const [, receipt = ''] = /name="receipt" value="([\w-]{43})"/.exec(left.text) ?? []
    const [message] = await received(owner)
    assert.equal(message.left_at_vehicle, true)
    await owner.post(`/api/messages/${message.id}/reply`, { reply: '<b>On my way</b>', answer: 'coming' })
    const answered = await form('/r', { receipt, language: 'fr' })
    assert.match(answered.text, /Le propriétaire arrive tout de suite\.[\s\S]*&lt;b&gt;On my way&lt;\/b&gt;/)
    assert.equal((await form('/r', { receipt: 'x'.repeat(43), language: 'it' })).status, 404)
    assert.equal((await form('/r', { receipt: '' })).status, 404)
  })

  test('a form on another site leaves nothing', async () => {
    const { owner, tag, end } = await tagged()
    const foreign = { ...newGuest(), 'sec-fetch-site': 'cross-site' }
    assert.equal((await form(`/t/${tag.token}`, { plate_end: end, reason: 'alarm' }, foreign)).status, 403)
    assert.equal((await received(owner)).length, 0)
  })
})

describe('when many tries fail, in the whole installation', () => {
  const note = { code: '1234 5678 9012', plate: 'NOBODY' }
  const openNote = (who: Caller, headers: Record<string, string> = newGuest()) =>
    who.post('/api/notes/open', note, headers)

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
    assert.equal((await leave(second.visitor, tag.token, end)).status, 201) // 99 have failed
    assert.equal((await leave(second.visitor, tag.token, 'ZZZ')).body.code, 'tag_refused')

    // whatever the tag, the note and the characters are
    const asked = [
      await leave(first.visitor, tag.token, end),
      await leave(second.visitor, tag.digits, 'ZZZ'),
      await leave(first.visitor, revoked.tag.token, revoked.end),
      await leave(second.visitor, 'never-made-by-anybody5', end),
      await openNote(first.visitor),
      await owner.post('/api/notes/claim', note, newGuest()).then(() => openNote(second.visitor)),
    ]
    assert.equal(new Set(asked.map(visible)).size, 1, JSON.stringify(codes(asked)))
    assert.equal(asked[0]!.body.error, errorText('proof_needed', 'en'))
    const form = (path: string, fields: Record<string, string>) => postForm(first.url + path, fields, newGuest())
    const page = await form(`/t/${tag.token}`, { plate_end: end, reason: 'alarm', language: 'es' })
    assert.equal(page.status, 403)
    assert.match(page.text, /Permita JavaScript[\s\S]*value="alarm" required checked/)
    const notePage = await form('/fr/n', note)
    assert.ok(notePage.text.includes(errorText('proof_needed', 'fr-CA')))

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
      const answer = await leave(first.visitor, tag.token, end, { guest: { ...newGuest(), 'proof-of-work': header } })
      assert.equal(answer.body.code, 'proof_needed', JSON.stringify(one))
    }
    const tries = await Promise.all(
      [first, second, first, second].map(({ visitor }) =>
        leave(visitor, tag.token, end, { guest: { ...newGuest(), ...proof } }),
      ),
    )
    assert.deepEqual(codes(tries).toSorted(), [201, 'proof_needed', 'proof_needed', 'proof_needed'])
    const another = { ...newGuest(), ...(await proofHeader(second.visitor)) }
    assert.equal((await openNote(first.visitor, another)).body.code, 'note_not_found')

    await advanceTime('11 minutes')
    assert.equal((await leave(first.visitor, tag.token, end)).status, 201)
    assert.equal((await openNote(second.visitor)).body.code, 'note_not_found')
  })
})

test('a receipt ends 30 days after the last thing that happened to it, with the message nobody else has', async () => {
  const { owner, vehicle, tag, end } = await tagged()
  const { body } = await leave(first.visitor, tag.token, end)
  const [message] = await received(owner)
  await owner.delete(`/api/vehicles/${vehicle.id}`)
  await deleteOldReceipts(db)
  assert.equal((await first.visitor.get(`/api/receipts/${body.receipt}`)).status, 200)
  await db`update receipts set created_at = now() - interval '31 days' where message_id = ${message.id}`
  await deleteOldReceipts(db)
  assert.equal((await first.visitor.get(`/api/receipts/${body.receipt}`)).status, 404)
  assert.equal((await db`select from messages where id = ${message.id}`).length, 0)
})

/** Returns a pool that also records the text of every statement, in and outside of transactions. */
function recordStatements(pool: Pool, statements: string[]): Pool {
  const watch = <T extends Db>(target: T): T =>
    new Proxy(target, {
      apply(call, self, args: unknown[]) {
        const [strings] = args as [TemplateStringsArray]
        if (Array.isArray(strings)) statements.push(strings.join('?'))
        return Reflect.apply(call as never, self, args)
      },
      get(object, name) {
        const value: unknown = Reflect.get(object, name)
        if (name !== 'begin') return value
        return (...args: unknown[]) => {
          const work = args.pop() as (tx: Db) => unknown
          return (value as (...all: unknown[]) => unknown).call(object, ...args, (tx: Db) => work(watch(tx)))
        }
      },
    })
  return watch(pool)
}
