import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, type Person, type TestResponse, testApp } from '../test/app.ts'
import { join, myId } from '../test/vehicle-people.ts'

// The duration of an answer must not reveal more than the answer does (decisions rate-limits and mutual-anonymity).

const app = await testApp()
const limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })

const PAIRS = 60
/** Well above the noise in a median of this many pairs, and below the effect of one more statement. */
const MAX_RATIO = 1.4

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function timeRequest(who: Caller, plate: string, status: number): Promise<number> {
  const begun = performance.now()
  const response = await who.post('/api/messages', { plate, content: 'x' })
  const took = performance.now() - begun
  assert.equal(response.status, status)
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

type Alike = [plate: string, status: number]
/** Plates of which a sender must not find out, by the time of the answer, which is which. */
const ALIKE: Record<string, () => Promise<[Alike, Alike]>> = {
  'unknown and waiting for verification': async () => [['NOBODY1', 404], await waiting()],
  'rejected and waiting': async () => [[(await withStatus('rejected')).plate, 409], await waiting()],
  'with letters for digits and as it is': async () => [
    ['BOBIBOB', 201],
    [(await app.vehicle(await app.user(), { plate: 'B0B1B0B' })).plate, 201],
  ],
  'paused and waiting': async () => {
    const owner = await app.user()
    const { id, plate } = await app.vehicle(owner)
    assert.equal((await owner.patch(`/api/vehicles/${id}`, { paused: true })).status, 200)
    return [[plate, 409], await waiting()]
  },
}
const withStatus = async (status: string) => app.vehicle(await app.user(), { status })
const waiting = async (): Promise<Alike> => [(await withStatus('pending_verification')).plate, 409]
for (const [what, prepare] of Object.entries(ALIKE))
  test(`plates ${what} are answered in the same time`, async () =>
    assertSimilarTiming(await app.user(), ...(await prepare())))

test('over a limit a live plate is refused as fast as an unknown one', async () => {
  const person = await app.user()
  const { plate } = await app.vehicle(await app.user())
  const sender = limited.withToken(person.token)
  // the other tests come from the same network
  await app.db`delete from rate_counters where key like 'send-network%'`
  for (let i = 0; i < 15; i++) await timeRequest(sender, 'NOBODY1', 404)
  await assertSimilarTiming(sender, [plate, 429], ['NOBODY2', 429])
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
  const [row] = await app.db<{ withheld: number; notified: number }[]>`
    select count(*) filter (where reply_withheld)::int as withheld,
      (select count(*)::int from notifications where user_id in (${blocker.id}, ${other.id})) as notified
    from messages where sender_id in (${blocker.id}, ${other.id})`
  assert.deepEqual(row, { withheld: PAIRS + 1, notified: PAIRS + 1 })
})

test('sends, reminders and reads take as long for a vehicle of several people, one of whom has left, as for one of one', async () => {
  // no process notifies anybody meanwhile: a sender does not wait for that
  await using quiet = await testApp({ settings: { ROLE: 'web' } })
  const [sender, owner, alone] = [await quiet.user(), await quiet.user(), await quiet.user()]
  const [single, shared] = [await quiet.vehicle(alone), await quiet.vehicle(owner)]
  const drivers = await Promise.all(Array.from({ length: 4 }, () => quiet.user()))
  for (const driver of drivers) await join(owner, shared.id, driver)
  const [driver, left] = drivers as [Person, Person]
  const me = await myId(left, shared.id)
  assert.equal((await left.delete(`/api/vehicles/${shared.id}/people/${me}`)).status, 204)

  const timed = async (status: number, call: () => Promise<TestResponse>) => {
    const begun = performance.now()
    const response = await call()
    const took = performance.now() - begun
    assert.equal(response.status, status, response.text)
    return { took, id: response.body.id as string }
  }
  const sent = { [single.plate]: [] as string[], [shared.plate]: [] as string[] }
  const timeSend = async (plate: string) => {
    const { took, id } = await timed(201, () => sender.post('/api/messages', { plate, content: 'x' }))
    sent[plate]!.push(id)
    return took
  }
  for (let i = 0; i < 5; i++) for (const plate of [single.plate, shared.plate]) await timeSend(plate)
  await assertSimilarTimes(
    'sends to several and to one',
    () => timeSend(shared.plate),
    () => timeSend(single.plate),
  )
  await quiet.db`update messages set inserted_at = inserted_at - interval '10 minutes'`
  for (const [who, plate] of [
    [driver, shared.plate],
    [alone, single.plate],
  ] as const) {
    const [answered] = sent[plate]!
    assert.equal((await who.post(`/api/messages/${answered}/reply`, { answer: 'coming' })).status, 200)
  }
  const timeRead = async (plate: string) =>
    (await timed(200, () => sender.get(`/api/messages/${sent[plate]![0]}`))).took
  await assertSimilarTimes(
    'reads of what a driver and an owner answered',
    () => timeRead(shared.plate),
    () => timeRead(single.plate),
  )
  const timeNudge = async (plate: string) =>
    (await timed(200, () => sender.post(`/api/messages/${sent[plate]!.pop()}/nudge`))).took
  await assertSimilarTimes(
    'reminders of several and of one',
    () => timeNudge(shared.plate),
    () => timeNudge(single.plate),
  )
})
