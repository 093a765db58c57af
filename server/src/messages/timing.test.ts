import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Caller, type Person, type TestResponse, testApp } from '../test/app.ts'
import { sendMessage } from '../test/messages.ts'
import { postForm } from '../test/post-form.ts'
import { leave } from '../test/tags.ts'
import { join, myId } from '../test/vehicle-people.ts'
import { makeAnswerLinks } from './answer-links.ts'

// The duration of an answer must not reveal more than the answer does (decisions rate-limits and mutual-anonymity).

const app = await testApp()
const limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })

const ROUNDS = 60
/** Well above the noise in a median of this many, and below the effect of one more statement. */
const MAX_RATIO = 1.4

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function timeCall(status: number, call: () => Promise<TestResponse>): Promise<number> {
  const begun = performance.now()
  const response = await call()
  const took = performance.now() - begun
  assert.equal(response.status, status, response.text)
  return took
}
const timeSend = (who: Caller, plate: string, status: number) =>
  timeCall(status, () => who.post('/api/messages', { plate, content: 'x' }))

/** Asserts that calls, made alternately, take equally long. Each is made five times before. */
async function assertSimilarTimes(calls: Record<string, () => Promise<number>>) {
  const [names, makes] = [Object.keys(calls), Object.values(calls)]
  for (let i = 0; i < 5; i++) for (const make of makes) await make()
  const took = makes.map((): number[] => [])
  // none of them is always the first
  for (let i = 0; i < ROUNDS; i++)
    for (let k = 0; k < makes.length; k++) {
      const at = (i + k) % makes.length
      took[at]!.push(await makes[at]!())
    }
  for (const [at, name] of names.entries()) {
    const ratio = median(took[at]!.map((ms, i) => ms / took[0]![i]!))
    assert.ok(ratio < MAX_RATIO && ratio > 1 / MAX_RATIO, `${name} to ${names[0]}: ${ratio.toFixed(2)}`)
  }
}

test('unknown, waiting, rejected and paused plates are answered in the same time', async () => {
  const who = await app.user()
  const withStatus = async (status: string) => app.vehicle(await app.user(), { status })
  const [waiting, rejected] = [await withStatus('pending_verification'), await withStatus('rejected')]
  const owner = await app.user()
  const paused = await app.vehicle(owner)
  assert.equal((await owner.patch(`/api/vehicles/${paused.id}`, { paused: true })).status, 200)
  await assertSimilarTimes({
    unknown: () => timeSend(who, 'NOBODY1', 404),
    waiting: () => timeSend(who, waiting.plate, 409),
    rejected: () => timeSend(who, rejected.plate, 409),
    paused: () => timeSend(who, paused.plate, 409),
  })
})

test('a plate with letters for digits is written to in the same time as it is', async () => {
  const who = await app.user()
  const { plate } = await app.vehicle(await app.user(), { plate: 'B0B1B0B' })
  await assertSimilarTimes({
    'as it is': () => timeSend(who, plate, 201),
    'with letters': () => timeSend(who, 'BOBIBOB', 201),
  })
})

test('over a limit a live plate is refused as fast as an unknown one', async () => {
  const person = await app.user()
  const { plate } = await app.vehicle(await app.user())
  const sender = limited.withToken(person.token)
  // the other tests come from the same network
  await app.db`delete from rate_counters where key like 'send-network%'`
  for (let i = 0; i < 15; i++) await timeSend(sender, 'NOBODY1', 404)
  await assertSimilarTimes({
    live: () => timeSend(sender, plate, 429),
    unknown: () => timeSend(sender, 'NOBODY2', 429),
  })
})

test('with wrong characters live, revoked, paused and unknown tags are refused in the same time', async () => {
  const tagged = async () => {
    const owner = await app.user()
    const { id } = await app.vehicle(owner)
    return {
      owner,
      path: `/api/vehicles/${id}`,
      token: (await owner.post(`/api/vehicles/${id}/tag`)).body.token as string,
    }
  }
  const [live, revoked, paused] = [await tagged(), await tagged(), await tagged()]
  assert.equal((await revoked.owner.delete(`${revoked.path}/tag`)).status, 204)
  assert.equal((await paused.owner.patch(paused.path, { paused: true })).status, 200)
  const timeTry = (token: string) => timeCall(403, () => leave(app.visitor, token, 'ZZZ'))
  await assertSimilarTimes({
    live: () => timeTry(live.token),
    revoked: () => timeTry(revoked.token),
    paused: () => timeTry(paused.token),
    unknown: () => timeTry('never-made-by-anybody1'),
  })
})

test('a message of a blocked person takes as long as one that is delivered', async () => {
  const [person, owner] = [await app.user(), await app.user()]
  const [own, open] = [await app.vehicle(owner), await app.vehicle(await app.user())]
  const first = await person.post('/api/messages', { plate: own.plate, content: 'x' })
  assert.equal((await owner.post(`/api/messages/${first.body.id}/block`)).status, 204)
  await assertSimilarTimes({
    delivered: () => timeSend(person, open.plate, 201),
    withheld: () => timeSend(person, own.plate, 201),
  })
  const [row] = await app.db<{ withheld: number; delivered: number }[]>`
    select count(*) filter (where vehicle_id is null)::int as withheld,
      count(*) filter (where vehicle_id is not null)::int as delivered
    from messages where sender_id = ${person.id}`
  assert.deepEqual(row, { withheld: ROUNDS + 5, delivered: ROUNDS + 6 })
})

test('a reply to somebody who has blocked it takes as long as one that is delivered', async () => {
  const [owner, blocker, other] = [await app.user(), await app.user(), await app.user()]
  const { plate } = await app.vehicle(owner)
  assert.equal((await blocker.post(`/api/messages/${await sendMessage(blocker, plate)}/block`)).status, 204)
  const timeReply = async (to: Caller) => {
    const id = await sendMessage(to, plate)
    return timeCall(200, () => owner.post(`/api/messages/${id}/reply`, { reply: 'x' }))
  }
  await assertSimilarTimes({ delivered: () => timeReply(other), withheld: () => timeReply(blocker) })
  const [row] = await app.db<{ withheld: number; notified: number }[]>`
    select count(*) filter (where reply_withheld)::int as withheld,
      (select count(*)::int from notifications where user_id in (${blocker.id}, ${other.id})) as notified
    from messages where sender_id in (${blocker.id}, ${other.id})`
  assert.deepEqual(row, { withheld: ROUNDS + 5, notified: ROUNDS + 5 })
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

  /** Newest last; the first is answered. */
  const sent = { [single.plate]: [] as string[], [shared.plate]: [] as string[] }
  const timeAndKeep = (plate: string) =>
    timeCall(201, async () => {
      const response = await sender.post('/api/messages', { plate, content: 'x' })
      sent[plate]!.push(response.body.id)
      return response
    })
  for (const plate of [single.plate, shared.plate]) await timeAndKeep(plate)
  await assertSimilarTimes({
    'a send to one': () => timeAndKeep(single.plate),
    'a send to several': () => timeAndKeep(shared.plate),
  })
  await quiet.db`update messages set inserted_at = inserted_at - interval '10 minutes'`
  for (const [who, plate] of [
    [driver, shared.plate],
    [alone, single.plate],
  ] as const)
    assert.equal((await who.post(`/api/messages/${sent[plate]![0]}/reply`, { answer: 'coming' })).status, 200)
  const timeRead = (plate: string) => timeCall(200, () => sender.get(`/api/messages/${sent[plate]![0]}`))
  await assertSimilarTimes({
    'a read of what an owner answered': () => timeRead(single.plate),
    'a read of what a driver answered': () => timeRead(shared.plate),
  })
  const timeNudge = (plate: string) => timeCall(200, () => sender.post(`/api/messages/${sent[plate]!.pop()}/nudge`))
  await assertSimilarTimes({
    'a reminder of one': () => timeNudge(single.plate),
    'a reminder of several': () => timeNudge(shared.plate),
  })
})

test('a link of an email that is over, or was used, takes as long as one that never was', async () => {
  const owner = await app.user()
  const { plate } = await app.vehicle(owner)
  const [used, over] = [await sendMessage(await app.user(), plate), await sendMessage(await app.user(), plate)]
  const tokens = await makeAnswerLinks(app.context, owner.id, [used, over], true)
  await app.db`update answer_links set created_at = created_at - interval '1 day' where message_id = ${over}`
  assert.equal((await owner.post(`/api/messages/${used}/reply`, { reply: 'x' })).status, 200)
  const open = (token: string) => async () => {
    const begun = performance.now()
    assert.equal((await postForm(`${app.url}/answer`, { token })).status, 404)
    return performance.now() - begun
  }
  await assertSimilarTimes({
    wrong: open('x'.repeat(43)),
    used: open(tokens.get(used)!),
    over: open(tokens.get(over)!),
  })
})
