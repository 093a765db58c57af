import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Caller, testApp } from '../test/app.ts'

// The duration of an answer must not reveal more than the answer does (decisions 0025 and 0079).

const app = await testApp()
const limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })
const crowded = await testApp({ sibling: app, settings: { LIMIT_SCALE: '100' } })
after(async () => {
  await crowded.close()
  await limited.close()
  await app.close()
})

const PAIRS = 80
/** Well above the noise in a median of this many pairs, and below the effect of one more statement. */
const MAX_RATIO = 1.4

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function timeRequest(who: Caller, plate: string, status: number): Promise<number> {
  const begun = performance.now()
  const answer = await who.post('/api/messages', { plate, content: 'x' })
  const took = performance.now() - begun
  assert.equal(answer.status, status)
  return took
}

/** Asserts that two calls, made alternately, take equally long. */
async function assertSimilarTimes(what: string, one: () => Promise<number>, other: () => Promise<number>) {
  const ratios: number[] = []
  for (let i = 0; i < PAIRS; i++) {
    // neither of them is always the second
    const early = i % 2 ? await one() : undefined
    const took = await other()
    ratios.push((early ?? (await one())) / took)
  }
  const ratio = median(ratios)
  assert.ok(ratio < MAX_RATIO && ratio > 1 / MAX_RATIO, `${what}: ${ratio.toFixed(2)}`)
}

/** Asserts that sends to two plates take equally long. */
async function assertSimilarTiming(
  who: Caller,
  [plate, status]: [string, number],
  [other, otherStatus]: [string, number],
) {
  const times = [() => timeRequest(who, plate, status), () => timeRequest(who, other, otherStatus)] as const
  for (let i = 0; i < 5; i++) await Promise.all(times.map((time) => time()))
  await assertSimilarTimes(`${plate} to ${other}`, ...times)
}

test('an unknown plate is refused as fast as one whose vehicle waits for verification', async () => {
  const sender = await app.user()
  const { plate } = await app.vehicle(await app.user(), { status: 'pending_verification' })
  await assertSimilarTiming(sender, ['NOBODY1', 404], [plate, 409])
})

test('a rejected vehicle is refused as fast as a waiting one', async () => {
  const sender = await app.user()
  const rejected = await app.vehicle(await app.user(), { status: 'rejected' })
  const waiting = await app.vehicle(await app.user(), { status: 'pending_verification' })
  await assertSimilarTiming(sender, [rejected.plate, 409], [waiting.plate, 409])
})

test('a paused vehicle is refused as fast as a waiting one', async () => {
  const [sender, owner] = [await app.user(), await app.user()]
  const paused = await app.vehicle(owner)
  assert.equal((await owner.patch(`/api/vehicles/${paused.id}`, { paused: true })).status, 200)
  const waiting = await app.vehicle(await app.user(), { status: 'pending_verification' })
  await assertSimilarTiming(sender, [paused.plate, 409], [waiting.plate, 409])
})

test('over a limit a live plate is refused as fast as an unknown one', async () => {
  const person = await app.user()
  const { plate } = await app.vehicle(await app.user())
  const sender = limited.withToken(person.token)
  // the other tests come from the same network
  await app.db`delete from rate_counters where key like 'send-network%'`
  for (let i = 0; i < 15; i++) await timeRequest(sender, 'NOBODY1', 404)
  await assertSimilarTiming(sender, [plate, 429], ['NOBODY2', 429])
})

test('a message over a vehicle’s limit takes as long as one that is delivered', async () => {
  const [person, owner] = [await app.user(), await app.user()]
  const [full, open] = [await app.vehicle(owner), await app.vehicle(owner)]
  // the limit is 6,000 an hour here; one vehicle is over it and the other stays below
  for (const [{ id }, count] of [
    [full, 6_000],
    [open, 5_900],
  ] as const) {
    await app.db`
      insert into messages (id, vehicle_id, content_encrypted)
      select gen_random_uuid(), ${id}, '' from generate_series(1, ${count}::int)`
  }
  await app.db`
    insert into notification_counters (user_id, last_number) values (${owner.id}, 11900)
    on conflict (user_id) do update set last_number = excluded.last_number`
  await assertSimilarTiming(crowded.withToken(person.token), [full.plate, 201], [open.plate, 201])
  const [row] = await app.db<{ withheld: number; delivered: number }[]>`
    select count(*) filter (where vehicle_id is null)::int as withheld,
      count(*) filter (where vehicle_id is not null)::int as delivered
    from messages where sender_id = ${person.id}`
  assert.deepEqual(row, { withheld: PAIRS + 5, delivered: PAIRS + 5 })
})

test('a message of a blocked person takes as long as one that is delivered', async () => {
  const [person, owner] = [await app.user(), await app.user()]
  const [own, open] = [await app.vehicle(owner), await app.vehicle(await app.user())]
  const first = await app.withToken(person.token).post('/api/messages', { plate: own.plate, content: 'x' })
  assert.equal((await owner.post(`/api/messages/${first.body.id}/block`)).status, 204)
  await assertSimilarTiming(app.withToken(person.token), [own.plate, 201], [open.plate, 201])
  const [row] = await app.db<{ withheld: number; delivered: number }[]>`
    select count(*) filter (where vehicle_id is null)::int as withheld,
      count(*) filter (where vehicle_id is not null)::int as delivered
    from messages where sender_id = ${person.id}`
  assert.deepEqual(row, { withheld: PAIRS + 5, delivered: PAIRS + 6 })
})

test('a reply to somebody who has blocked it takes as long as one that is delivered', async () => {
  const [owner, blocker, other] = [await app.user(), await app.user(), await app.user()]
  const { plate } = await app.vehicle(owner)
  const sendAs = async (who: Caller): Promise<string> => {
    const { status, body, text } = await who.post('/api/messages', { plate, content: 'x' })
    assert.equal(status, 201, text)
    return body.id
  }
  assert.equal((await blocker.post(`/api/messages/${await sendAs(blocker)}/block`)).status, 204)
  const timeReply = async (id: string) => {
    const begun = performance.now()
    const { status } = await owner.post(`/api/messages/${id}/reply`, { reply: 'x' })
    assert.equal(status, 200)
    return performance.now() - begun
  }
  for (const who of [blocker, other]) await timeReply(await sendAs(who))
  await assertSimilarTimes(
    'withheld to delivered',
    async () => timeReply(await sendAs(blocker)),
    async () => timeReply(await sendAs(other)),
  )
  const [row] = await app.db<{ withheld: number; told: number }[]>`
    select count(*) filter (where reply_withheld)::int as withheld,
      (select count(*)::int from notifications where user_id in (${blocker.id}, ${other.id})) as told
    from messages where sender_id in (${blocker.id}, ${other.id})`
  assert.deepEqual(row, { withheld: PAIRS + 1, told: PAIRS + 1 })
})
