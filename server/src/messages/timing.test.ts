import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Caller, testApp } from '../test/app.ts'

// The duration of a refusal must not reveal more than the refusal does (decision 0025).

const app = await testApp()
const limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })
after(async () => {
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

/** Asserts that refusals for two plates, requested alternately, take equally long. */
async function assertSimilarTiming(
  who: Caller,
  [plate, status]: [string, number],
  [other, otherStatus]: [string, number],
) {
  for (let i = 0; i < 5; i++) await Promise.all([timeRequest(who, plate, status), timeRequest(who, other, otherStatus)])
  const ratios: number[] = []
  for (let i = 0; i < PAIRS; i++) {
    // neither of them is always the second
    const early = i % 2 ? await timeRequest(who, plate, status) : undefined
    const took = await timeRequest(who, other, otherStatus)
    ratios.push((early ?? (await timeRequest(who, plate, status))) / took)
  }
  const ratio = median(ratios)
  assert.ok(ratio < MAX_RATIO && ratio > 1 / MAX_RATIO, `${plate} to ${other}: ${ratio.toFixed(2)}`)
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

test('over a limit a live plate is refused as fast as an unknown one', async () => {
  const person = await app.user()
  const { plate } = await app.vehicle(await app.user())
  const sender = limited.withToken(person.token)
  for (let i = 0; i < 15; i++) await timeRequest(sender, 'NOBODY1', 404)
  await assertSimilarTiming(sender, [plate, 429], ['NOBODY2', 429])
})
