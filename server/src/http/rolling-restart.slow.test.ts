import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sample } from '../../../scripts/lib/sample.mjs'
import { runRollingRestarts } from '../test/rolling-restarts.ts'

const RESTARTS = sample.rounds(20, 3)

test(`${RESTARTS} restarts of two web processes under load fail no request and lose no live event`, async (t) => {
  const { requests, failed, events, lostEvents, repeatedEvents, refusedStreams, handOvers, gapsMs } =
    await runRollingRestarts(RESTARTS)
  t.diagnostic(
    `${requests} requests, ${events} live events, ${handOvers} streams handed over, without a stream for ${Math.round(Math.max(...gapsMs))} ms at most`,
  )
  assert.deepEqual(failed, [])
  assert.deepEqual(
    { lostEvents, repeatedEvents, refusedStreams },
    { lostEvents: 0, repeatedEvents: 0, refusedStreams: 0 },
  )
  assert.ok(requests > RESTARTS * 20, 'there was load all the time')
  assert.ok(handOvers >= RESTARTS, 'streams moved')
})
