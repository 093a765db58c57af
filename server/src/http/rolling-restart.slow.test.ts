import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runRollingRestarts } from '../test/rolling-restarts.ts'

const ROUNDS = 20

test(`${ROUNDS} restarts of each of two web processes and a worker under load fail no request and lose no live event`, async (t) => {
  const { requests, failed, events, lostEvents, repeatedEvents, refusedStreams, handOvers, gapsMs, lateEmails } =
    await runRollingRestarts(ROUNDS)
  t.diagnostic(
    `${requests} requests, ${events} live events, ${handOvers} streams handed over, without a stream for ${Math.round(Math.max(...gapsMs))} ms at most`,
  )
  assert.deepEqual(failed, [])
  assert.deepEqual(
    { lostEvents, repeatedEvents, refusedStreams, lateEmails },
    { lostEvents: 0, repeatedEvents: 0, refusedStreams: 0, lateEmails: 0 },
  )
  assert.ok(requests > ROUNDS * 40, 'there was load all the time')
  assert.ok(handOvers >= ROUNDS * 2, 'streams moved')
})
