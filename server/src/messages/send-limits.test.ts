import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limitText } from '#contract/limit-texts.ts'
import type { TestResponse } from '../test/app.ts'
import {
  advanceTime,
  app,
  assertBetween,
  assertLimited,
  count,
  createSender,
  GATE,
  owner,
  plate,
  plates,
  send,
  sendAll,
  unlimitedApp,
} from '../test/send-limits.ts'
import { DAY_S, HOUR_S } from '../time.ts'

// The limits on sending (decision 0071), each with its real number.

describe('messages of one user', () => {
  test('20 an hour, and Retry-After says when the next one is allowed', async () => {
    const who = await createSender()
    await sendAll(who, 20)
    const wait = assertLimited(await send(who, plate), 'messages')
    assertBetween(wait, HOUR_S - 30, HOUR_S)
    await advanceTime(wait - 2)
    assertLimited(await send(who, plate), 'messages')
    await advanceTime(2)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('40 a day', async () => {
    const who = await createSender()
    await sendAll(who, 20)
    await advanceTime(HOUR_S)
    await sendAll(who, 20)
    // the limit per hour is reached as well, but free again long before the one per day
    const wait = assertLimited(await send(who, plate), 'messages')
    assertBetween(wait, DAY_S - HOUR_S - 60, DAY_S - HOUR_S)
    await advanceTime(wait - 2)
    assertLimited(await send(who, plate), 'messages')
    await advanceTime(2)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('an account a minute old: 20 an hour as well', async () => {
    const who = await createSender({ young: true })
    await sendAll(who, 20)
    assertLimited(await send(who, plate), 'messages')
  })

  test('sends refused over the limit do not count', async () => {
    const who = await createSender()
    await sendAll(who, 20)
    for (let i = 0; i < 25; i++) assertLimited(await send(who, plate), 'messages')
    await advanceTime(HOUR_S)
    await sendAll(who, 20)
  })

  test('the refusal is in French for a French reader', async () => {
    const who = await createSender()
    await sendAll(who, 20)
    const { body } = await who.post('/api/messages', { plate, content: 'Allo' }, { 'accept-language': 'fr-CA' })
    assert.equal(body.error, limitText('messages', 'fr-CA'))
  })

  test('over the limit every plate gets the same refusal', async () => {
    const who = await createSender()
    await sendAll(who, 20)
    const rejected = await unlimitedApp.vehicle(owner, { status: 'rejected' })
    for (const to of [plate, 'NOBODY1', rejected.plate]) assertLimited(await send(who, to), 'messages')
  })
})

describe('unanswered messages of one user to one vehicle', () => {
  test('5 a day and 10 in 30 days, and other vehicles can still be reached', async () => {
    const who = await createSender()
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    const wait = assertLimited(await send(who, plate), 'unanswered')
    assertBetween(wait, DAY_S - 30, DAY_S)
    assert.equal((await send(who, plates[1]!)).status, 201)
    await advanceTime(wait - 2)
    assertLimited(await send(who, plate), 'unanswered')
    await advanceTime(2)
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    const long = assertLimited(await send(who, plate), 'unanswered')
    assertBetween(long, 29 * DAY_S - 60, 29 * DAY_S)
    await advanceTime(long - 2)
    assertLimited(await send(who, plate), 'unanswered')
    await advanceTime(2)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('a reply allows five more, even if it is to an old message', async () => {
    const who = await createSender()
    const first = (await send(who, plate)).body.id
    for (let i = 0; i < 4; i++) assert.equal((await send(who, plate)).status, 201)
    assertLimited(await send(who, plate), 'unanswered')
    assert.equal((await owner.post(`/api/messages/${first}/reply`, { reply: 'Thank you' })).status, 200)
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    assertLimited(await send(who, plate), 'unanswered')
  })

  test('a reply to somebody else allows no more', async () => {
    const [who, stranger] = [await createSender(), await createSender()]
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    const { id } = (await send(stranger, plate)).body
    assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })).status, 200)
    assertLimited(await send(who, plate), 'unanswered')
  })
})

test('every message reaches the vehicle, however many others write to it within the hour', async () => {
  const busy = await unlimitedApp.vehicle(owner)
  for (let i = 0; i < 13; i++) {
    const who = await createSender({ young: true })
    for (let k = 0; k < 5; k++) assert.equal((await send(who, busy.plate)).status, 201)
  }
  const { body } = await owner.get('/api/messages?view=received&limit=100')
  assert.equal(body.items.filter((item: { plate: string }) => item.plate === busy.plate).length, 65)
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
    assertBetween(Math.min(...waits), HOUR_S - 30, HOUR_S)
    assertBetween(Math.max(...waits), HOUR_S - 30, HOUR_S)
    await advanceTime(waits.at(-1)! - 2)
    assertLimited(await send(who, plate), 'misses')
    await advanceTime(2)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('30 a day', async () => {
    const who = await createSender()
    for (let i = 0; i < 15; i++) assert.equal((await send(who, 'NOBODY1')).status, 404)
    await advanceTime(HOUR_S)
    for (let i = 0; i < 15; i++) assert.equal((await send(who, 'NOBODY1')).status, 404)
    const wait = assertLimited(await send(who, plate), 'misses')
    assertBetween(wait, DAY_S - HOUR_S - 60, DAY_S - HOUR_S)
    await advanceTime(wait)
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

describe('sends in progress', () => {
  test('are eight of one user at a time, and one more gets a `Retry-After`', async () => {
    const [who, patient] = [await createSender(), await createSender()]
    const responses: Promise<TestResponse>[] = []
    await unlimitedApp.db.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${GATE})`
      for (let i = 0; i < 9; i++) responses.push(send(who, plates[i]!))
      const { status, body, headers } = await Promise.race(responses)
      assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'too_many_requests', '2'])
      // equal ones are a single send
      for (let i = 0; i < 20; i++) responses.push(send(patient, plate, {}, 'key-of-twenty'))
    })
    const ended = await Promise.all(responses)
    assert.deepEqual([count(ended, 201), count(ended, 429)], [28, 1])
    assert.equal(new Set(ended.slice(9).map(({ body }) => body.id)).size, 1)
    assert.equal((await send(who, plate)).status, 201)
  })
})

describe('a repeated key', () => {
  test('returns the first result whatever limit is reached, and does not count', async () => {
    const who = await createSender()
    const first = await send(who, plate, {}, 'key-of-the-first')
    for (let i = 0; i < 30; i++) {
      assert.deepEqual((await send(who, plate, {}, 'key-of-the-first')).body, first.body)
    }
    await sendAll(who, 19)
    assertLimited(await send(who, plate), 'messages')
    const again = await send(who, plate, {}, 'key-of-the-first')
    assert.deepEqual([again.status, again.body], [201, first.body])
  })
})
