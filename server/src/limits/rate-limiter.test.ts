import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { createLogger } from '../log/logger.ts'
import { createTestDatabase } from '../test/database.ts'
import { fieldsOf } from '../test/fields.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'
import { ceilingCount, consumeCounts } from './enforce-limit.ts'
import { createFairQueue } from './fair-queue.ts'
import { consume, consumeAll, deleteExpiredCounters, readCount, resetLimit, scaleLimit } from './rate-limiter.ts'
import { createSlidingWindow } from './sliding-window.ts'

const database = await createTestDatabase()
const db = openPool(database.connection, 8)
after(async () => {
  await db.end()
  await database.drop()
})

/** Makes the counts of a key older. */
const ageCounters = (key: string, seconds: number) =>
  db`update rate_counters set window_start = window_start - make_interval(secs => ${seconds}) where key = ${key}`

test('a count of this process remembers no more callers than allowed: the oldest is evicted', () => {
  const take = createSlidingWindow(1, 60, 1_000)
  for (let caller = 0; caller < 1_500; caller++) take(String(caller), caller)
  assert.deepEqual(
    ['1499', '500', '0'].map((caller) => take(caller, 1_500).allowed),
    [false, false, true],
  )
})

test('the window slides: the wait ends when the oldest count leaves it', async () => {
  await consume(db, 'b', 2, 600)
  await ageCounters('b', 300)
  await consume(db, 'b', 2, 600)
  const { allowed, retryAfterS } = await consume(db, 'b', 2, 600)
  assert.equal(allowed, false)
  assert.ok(retryAfterS > 280 && retryAfterS <= 310, String(retryAfterS))
  await ageCounters('b', 311)
  assert.equal((await consume(db, 'b', 2, 600)).allowed, true)
  assert.equal((await consume(db, 'b', 2, 600)).allowed, false)
})

test('a counter is deleted once its own window has ended, however many there are', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, i) => consume(db, `short-${i}`, 1, 15 * MINUTE_S)))
  await consume(db, 'month', 1, 30 * DAY_S)
  await consume(db, 'read', 1, 15 * MINUTE_S)
  await db`update rate_counters set expires_at = expires_at + interval '2 minutes' where key = 'read'`
  // sixteen minutes pass
  await db`update rate_counters set expires_at = expires_at - interval '16 minutes'`
  await deleteExpiredCounters(db, 5)
  const left = await db<
    { key: string }[]
  >`select key from rate_counters where key in ('month', 'read') or key like 'short-%' order by key`
  assert.deepEqual(fieldsOf(left, 'key'), ['month', 'read'])
})

test('an attempt counts in all of several counts, or in none of them', async () => {
  const [narrow, wide] = [
    { key: 'narrow', max: 2, windowS: MINUTE_S },
    { key: 'wide', max: 3, windowS: HOUR_S },
  ]
  const attempt = () => consumeAll(db, [narrow, wide])
  assert.equal((await attempt()).allowed, true)
  assert.equal((await attempt()).allowed, true)
  const refused = await attempt()
  assert.deepEqual([refused.allowed, refused.full], [false, ['narrow']])
  await resetLimit(db, 'narrow')
  assert.equal((await attempt()).allowed, true) // the refused one has taken nothing from the wide one
  const full = await attempt()
  assert.deepEqual([full.allowed, full.full], [false, ['wide']])
  assert.ok(full.retryAfterS > MINUTE_S)
  assert.equal(await readCount(db, narrow), 1)
})

test('a full limit of the whole installation raises an alarm in the log', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const count = { ...ceilingCount({ LIMIT_SCALE: 1 }, 'allContactMessages'), max: 1 }
  for (const allowed of [true, false]) assert.equal((await consumeCounts(db, log, [count])).allowed, allowed)
  assert.deepEqual(fieldsOf(lines, 'level', 'ceiling', 'msg'), [
    [50, 'allContactMessages', 'alarm: a limit of the whole installation is reached'],
  ])
})

test('a limit is scaled, but never below one', () => {
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 1 }), 10)
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 2.55 }), 25)
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 0.01 }), 1)
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 1e12 }), 2 ** 31 - 1, 'the database can compare with it')
})

test('those who wait take turns by user, and a job that fails frees its place', async () => {
  const run = createFairQueue(1)
  const order: string[] = []
  const jobs = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map((name) =>
    run(name[0]!, async () => {
      order.push(name)
      if (name === 'b1') throw new Error('broken')
    }),
  )
  await Promise.allSettled(jobs)
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'c2'])
})
