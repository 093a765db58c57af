import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { createTestDatabase } from '../test/database.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'
import { clientNetwork, consume, deleteExpiredCounters, resetLimit, scaleLimit } from './rate-limiter.ts'

const database = await createTestDatabase()
const db = openPool(database.connection, 8)
after(async () => {
  await db.end()
  await database.drop()
})

/** Makes the counts of a key older. */
const ageCounters = (key: string, seconds: number) =>
  db`update rate_counters set window_start = window_start - make_interval(secs => ${seconds}) where key = ${key}`

test('attempts up to the limit are allowed, and the next has to wait for the first to leave the window', async () => {
  for (let i = 0; i < 3; i++) assert.deepEqual(await consume(db, 'a', 3, 600), { allowed: true, retryAfterS: 0 })
  const refused = await consume(db, 'a', 3, 600)
  assert.equal(refused.allowed, false)
  assert.ok(refused.retryAfterS > 580 && refused.retryAfterS <= 610, String(refused.retryAfterS))
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

test('refused attempts do not count', async () => {
  await consume(db, 'c', 1, MINUTE_S)
  for (let i = 0; i < 5; i++) await consume(db, 'c', 1, MINUTE_S)
  await ageCounters('c', 62)
  assert.equal((await consume(db, 'c', 1, MINUTE_S)).allowed, true)
})

test('of many concurrent attempts exactly the limit is allowed', async () => {
  const results = await Promise.all(Array.from({ length: 40 }, () => consume(db, 'd', 7, HOUR_S)))
  assert.equal(results.filter(({ allowed }) => allowed).length, 7)
})

test('a reset count starts again at zero, and other keys stay', async () => {
  await consume(db, 'e', 1, MINUTE_S)
  await consume(db, 'f', 1, MINUTE_S)
  await resetLimit(db, 'e')
  assert.equal((await consume(db, 'e', 1, MINUTE_S)).allowed, true)
  assert.equal((await consume(db, 'f', 1, MINUTE_S)).allowed, false)
})

test('old counters are deleted, and those of the longest window stay', async () => {
  await consume(db, 'old', 1, MINUTE_S)
  await ageCounters('old', 33 * DAY_S)
  await consume(db, 'month', 1, 30 * DAY_S)
  await ageCounters('month', 29 * DAY_S)
  await deleteExpiredCounters(db)
  assert.deepEqual(
    (await db`select key from rate_counters where key in ('old', 'month')`).map((row) => row['key']),
    ['month'],
  )
})

test('a caller is an IPv4 address or an IPv6 /64', () => {
  assert.equal(clientNetwork('192.0.2.1'), '192.0.2.1')
  assert.equal(clientNetwork('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(clientNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(clientNetwork('2001:DB8:0001:2::9'), '2001:db8:1:2::/64')
  assert.equal(clientNetwork('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(clientNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(clientNetwork('::1'), '0:0:0:0::/64')
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
