import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { createTestDatabase } from '../test/database.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'
import { consume, consumeAll, deleteExpiredCounters, readCount, resetLimit, scaleLimit } from './rate-limiter.ts'

const database = await createTestDatabase()
const db = openPool(database.connection, 8)
after(async () => {
  await db.end()
  await database.drop()
})

/** Makes the counts of a key older. */
const ageCounters = (key: string, seconds: number) =>
  db`update rate_counters set window_start = window_start - make_interval(secs => ${seconds}) where key = ${key}`

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

test('of many concurrent attempts exactly the limit is allowed', async () => {
  const results = await Promise.all(Array.from({ length: 40 }, () => consume(db, 'd', 7, HOUR_S)))
  assert.equal(results.filter(({ allowed }) => allowed).length, 7)
})

test('a counter is deleted once its own window has ended, however many there are', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, i) => consume(db, `short-${i}`, 1, 15 * MINUTE_S)))
  await consume(db, 'month', 1, 30 * DAY_S)
  // sixteen minutes pass
  await db`update rate_counters set expires_at = expires_at - interval '16 minutes'`
  await deleteExpiredCounters(db, 5)
  const left = await db<{ key: string }[]>`select key from rate_counters where key = 'month' or key like 'short-%'`
  assert.deepEqual(
    left.map(({ key }) => key),
    ['month'],
  )
})

test('a counter that is still read is not deleted', async () => {
  await consume(db, 'read', 1, 15 * MINUTE_S)
  await db`update rate_counters set expires_at = expires_at - interval '14 minutes' where key = 'read'`
  await deleteExpiredCounters(db)
  assert.equal((await consume(db, 'read', 1, 15 * MINUTE_S)).allowed, false)
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

test('of many concurrent attempts in several counts, exactly the narrowest is allowed and the others lose nothing', async () => {
  const counts = [
    { key: 'few', max: 5, windowS: HOUR_S },
    { key: 'more', max: 8, windowS: HOUR_S },
  ]
  const results = await Promise.all(Array.from({ length: 40 }, () => consumeAll(db, counts)))
  assert.equal(results.filter(({ allowed }) => allowed).length, 5)
  assert.equal(await readCount(db, counts[1]!), 5)
})

test('a limit is scaled, but never below one', () => {
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 1 }), 10)
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 2.55 }), 25)
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 0.01 }), 1)
})

test('however large the scale, the database can compare with the limit', async () => {
  const limit = scaleLimit(10, { LIMIT_SCALE: 1e12 })
  assert.equal((await consume(db, 'huge', limit, 60)).allowed, true)
})
