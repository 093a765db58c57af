import assert from 'node:assert/strict'
import { after } from 'node:test'
import { limitText } from '#contract/limit-texts.ts'
import { type Caller, type TestResponse, testApp } from './app.ts'
import { waitForLockWaits } from './locks.ts'

// What the tests of the limits on sending share. Users and plates are created on a server with raised limits, and messages are
// sent through two processes with the real ones.

export const settings = { LIMIT_SCALE: '1' }
export const unlimitedApp = await testApp()
export const app = await testApp({ sibling: unlimitedApp, settings })
export const other = await testApp({ sibling: unlimitedApp, settings })
after(async () => {
  await other.close()
  await app.close()
  await unlimitedApp.close()
})

// where `runConcurrently` stops sends that are decided and about to be written
export const GATE = 4_711
await unlimitedApp.db.unsafe(`
  create function wait_at_gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
  create trigger gate before insert on rate_counters for each row execute function wait_at_gate()`)

export const owner = await unlimitedApp.user()
export const plates: string[] = []
for (let i = 0; i < 10; i++) plates.push((await unlimitedApp.vehicle(owner)).plate)
export const [plate = ''] = plates

export type Sender = Caller & { id: string; elsewhere: Caller }

/** Creates a user who sends through `app`, or with `elsewhere` through the other process. */
export async function createSender({ young = false } = {}): Promise<Sender> {
  const person = await unlimitedApp.user({ aged: !young })
  return { ...app.withToken(person.token), id: person.id, elsewhere: other.withToken(person.token) }
}

/** Sends a message. */
export const send = (who: Caller, to: string, more: object = {}, key?: string) =>
  who.post(
    '/api/messages',
    { plate: to, content: 'Your lights are on', ...more },
    key ? { 'idempotency-key': key } : {},
  )

/** Sends this many messages one after the other, to all plates in rotation. */
export async function sendAll(who: Caller, count: number) {
  for (let i = 0; i < count; i++)
    assert.equal((await send(who, plates[i % plates.length]!)).status, 201, `the ${i + 1}.`)
}

/** Lets time pass for everything that was sent and for all senders. */
export async function advanceTime(seconds: number) {
  const span = `${seconds} seconds`
  await unlimitedApp.db`update messages set inserted_at = inserted_at - ${span}::interval, replied_at = replied_at - ${span}::interval`
  await unlimitedApp.db`update rate_counters set window_start = window_start - ${span}::interval where key ~ '^(send|pair):'`
  await unlimitedApp.db`update auth.users set email_confirmed_at = email_confirmed_at - ${span}::interval`
}

/** Asserts a refusal over a limit. Returns the seconds after which the next try can succeed. */
export function assertLimited(response: TestResponse, limit: Parameters<typeof limitText>[0]): number {
  assert.deepEqual(
    [response.status, response.body],
    [429, { error: limitText(limit, 'en'), code: 'too_many_requests' }],
  )
  return Number(response.headers.get('retry-after'))
}

/** Asserts that a value is within these limits. */
export const assertBetween = (value: number, least: number, most: number) =>
  assert.ok(value >= least && value <= most, `${value} is not from ${least} to ${most}`)

/** Counts the responses with this status. */
export const count = (responses: TestResponse[], status: number) =>
  responses.filter((response) => response.status === status).length

/** Makes calls, as many at a time as one user may have in progress in two processes. */
export async function inWaves(calls: number, call: (i: number) => Promise<TestResponse>): Promise<TestResponse[]> {
  const responses: TestResponse[] = []
  while (responses.length < calls)
    responses.push(...(await Promise.all(Array.from({ length: 16 }, (_, i) => call(responses.length + i)))))
  return responses
}

/** Makes calls in two processes, and lets neither write its counts before both have decided or wait. */
export async function runConcurrently(
  first: () => Promise<TestResponse>,
  second: () => Promise<TestResponse>,
): Promise<TestResponse[]> {
  const calls: Promise<TestResponse>[] = []
  await unlimitedApp.db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${GATE})`
    calls.push(first(), second())
    await waitForLockWaits(unlimitedApp.db, 2)
  })
  return Promise.all(calls)
}
