import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { m } from '#texts/messages.js'
import { type Caller, type TestResponse, testApp } from '../test/app.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'
import type { SendLimitName } from './send-limits.ts'

// What the limits on sending count (decision rate-limits), for all processes together. That each says when to try again is in
// server/src/limits/retry-after.test.ts. Users and plates are created on a
// server with raised limits, and messages are sent through two processes with the real ones.

const settings = { LIMIT_SCALE: '1' }
const unlimitedApp = await testApp()
const app = await testApp({ sibling: unlimitedApp, settings })
const other = await testApp({ sibling: unlimitedApp, settings })

const owner = await unlimitedApp.user()
const plates: string[] = []
for (let i = 0; i < 10; i++) plates.push((await unlimitedApp.vehicle(owner)).plate)
const [plate = ''] = plates

type Sender = Caller & { id: string; elsewhere: Caller }

/** Creates a user who sends through `app`, or with `elsewhere` through the other process. */
async function createSender({ young = false } = {}): Promise<Sender> {
  const person = await unlimitedApp.user({ aged: !young })
  return { ...app.withToken(person.token), id: person.id, elsewhere: other.withToken(person.token) }
}

/** Sends a message. */
const send = (who: Caller, to: string, more: object = {}, key?: string) =>
  who.post(
    '/api/messages',
    { plate: to, content: 'Your lights are on', ...more },
    key ? { 'idempotency-key': key } : {},
  )

/** Sends this many messages one after the other, to all plates in rotation. */
async function sendAll(who: Caller, count: number) {
  for (let i = 0; i < count; i++)
    assert.equal((await send(who, plates[i % plates.length]!)).status, 201, `the ${i + 1}.`)
}

/** Lets time pass for everything that was sent and for all senders. */
async function advanceTime(seconds: number) {
  const span = `${seconds} seconds`
  await unlimitedApp.db`update messages set inserted_at = inserted_at - ${span}::interval, replied_at = replied_at - ${span}::interval`
  await unlimitedApp.db`update rate_counters set window_start = window_start - ${span}::interval where key ~ '^(send|pair):'`
  await unlimitedApp.db`update auth.users set email_confirmed_at = email_confirmed_at - ${span}::interval`
}

/** Asserts a refusal over a limit. Returns the seconds after which the next try can succeed. */
function assertLimited(response: TestResponse, limit: SendLimitName): number {
  assert.deepEqual(
    [response.status, response.body],
    [429, { error: m[`limit_${limit}`]({}, { locale: 'en' }), code: 'too_many_requests' }],
  )
  return Number(response.headers.get('retry-after'))
}

/** What a test itself takes at most, also on a slow machine. */
const LEEWAY_S = 10 * MINUTE_S

const assertAlmost = (seconds: number, most: number) =>
  assert.ok(seconds > most - LEEWAY_S && seconds <= most, `${seconds} is not almost ${most}`)

/** Counts the responses with this status. */
const count = (responses: TestResponse[], status: number) =>
  responses.filter((response) => response.status === status).length

/** Makes calls, as many at a time as one user may have in progress in two processes. */
async function inWaves(calls: number, call: (i: number) => Promise<TestResponse>): Promise<TestResponse[]> {
  const responses: TestResponse[] = []
  while (responses.length < calls)
    responses.push(...(await Promise.all(Array.from({ length: 16 }, (_, i) => call(responses.length + i)))))
  return responses
}

describe('unanswered messages of one user to one vehicle', () => {
  test('5 a day and 10 in 30 days, and other vehicles can still be reached', async () => {
    const who = await createSender()
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    const wait = assertLimited(await send(who, plate), 'unanswered')
    assertAlmost(wait, DAY_S)
    assert.equal((await send(who, plates[1]!)).status, 201)
    await advanceTime(wait)
    assert.equal((await send(who, plate)).status, 201, 'the first one of the five no longer counts')
    await advanceTime(LEEWAY_S)
    for (let i = 0; i < 4; i++) assert.equal((await send(who, plate)).status, 201)
    const long = assertLimited(await send(who, plate), 'unanswered')
    assertAlmost(long, 29 * DAY_S - LEEWAY_S)
    await advanceTime(long - LEEWAY_S)
    assertLimited(await send(who, plate), 'unanswered')
    await advanceTime(LEEWAY_S)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('a reply allows five more, even if it is to an old message, and one to somebody else none', async () => {
    const [who, stranger] = [await createSender(), await createSender()]
    const answer = async (id: string) =>
      assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })).status, 200)
    const first = (await send(who, plate)).body.id
    for (let i = 0; i < 4; i++) assert.equal((await send(who, plate)).status, 201)
    await answer((await send(stranger, plate)).body.id)
    assertLimited(await send(who, plate), 'unanswered')
    await answer(first)
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    assertLimited(await send(who, plate), 'unanswered')
  })
})

describe('sends that reach nobody', () => {
  test('15 an hour, whatever they reveal about a plate; then every plate is refused alike', async () => {
    const who = await createSender()
    const waiting = await unlimitedApp.vehicle(await unlimitedApp.user(), { status: 'pending_verification' })
    await unlimitedApp.vehicle(owner, { plate: 'TWOPROV', province: 'Ontario' })
    await unlimitedApp.vehicle(await unlimitedApp.user(), { plate: 'TWOPROV', province: 'Quebec' })
    for (let i = 0; i < 13; i++) assert.equal((await send(who, `NOBODY${i}`)).status, 404)
    assert.equal((await send(who, waiting.plate)).body.code, 'vehicle_not_active')
    assert.equal((await send(who, 'TWOPROV')).body.code, 'province_needed')
    const waits = []
    for (const to of ['NOBODY1', plate, waiting.plate, 'TWOPROV'])
      waits.push(assertLimited(await send(who, to), 'misses'))
    for (const wait of waits) assertAlmost(wait, HOUR_S)
    await advanceTime(waits.at(-1)! - LEEWAY_S)
    assertLimited(await send(who, plate), 'misses')
    await advanceTime(LEEWAY_S)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('one’s own vehicle, a used key and an image that is gone reveal nothing, and do not count', async () => {
    const person = await unlimitedApp.user()
    const mine = await unlimitedApp.vehicle(person)
    const nothing = { attachment_id: '01900000-0000-7000-8000-000000000000' }
    const who = app.withToken(person.token)
    assert.equal((await send(who, plate, {}, 'key-of-another-text')).status, 201)
    for (let i = 0; i < 20; i++) {
      assert.equal((await send(who, mine.plate)).body.code, 'own_vehicle')
      assert.equal((await send(who, 'NOBODY1', {}, 'key-of-another-text')).body.code, 'idempotency_mismatch')
      assert.equal((await send(who, plate, nothing)).body.code, 'attachment_unknown')
    }
    assert.equal((await send(who, plate)).status, 201)
  })
})

describe('two processes at the same moment', () => {
  test('accept exactly 20 messages of a user', async () => {
    const who = await createSender()
    const responses = await inWaves(48, (i) => send(i % 2 ? who : who.elsewhere, plates[i % plates.length]!))
    assert.deepEqual([count(responses, 201), count(responses, 429)], [20, 28])
  })

  test('store one message for a key, and return it again whatever limit is reached', async () => {
    const who = await createSender()
    const once = (caller: Caller) => send(caller, plate, {}, 'key-in-two-places')
    const responses = await Promise.all([once(who), once(who.elsewhere)])
    assert.equal(count(responses, 201), 2)
    assert.deepEqual(responses[0]?.body, responses[1]?.body)
    await sendAll(who, 19)
    assertLimited(await send(who, plate), 'messages')
    assert.deepEqual((await once(who)).body, responses[0]?.body)
  })

  test('do not count against one limit what another one refuses', async () => {
    const who = await createSender()
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    // fifteen are left of the hour; as many again go to a vehicle whose limit is reached
    const responses = await inWaves(32, (i) =>
      send(i % 4 < 2 ? who : who.elsewhere, i % 2 ? plate : plates[1 + (i % 9)]!),
    )
    assert.equal(count(responses, 201), 15)
  })
})
