import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { createLogger } from '../log/logger.ts'
import { createTestDatabase } from '../test/database.ts'
import { ceilingCount, consumeCounts, networkCounts } from './enforce-limit.ts'
import { LIMITS } from './limits.ts'
import { readCount } from './rate-limiter.ts'

const database = await createTestDatabase()
const db = openPool(database.connection, 4)
after(async () => {
  await db.end()
  await database.drop()
})

const scale = { LIMIT_SCALE: 1 }
const lines: Record<string, unknown>[] = []
const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })

const attempt = (ip: string) =>
  consumeCounts(db, log, [
    ...networkCounts(scale, 'contactMessages', ip, (network) => `test:${network}`),
    ceilingCount(scale, 'allContactMessages'),
  ])

test('the limit of the whole installation raises an alarm in the log, and takes nothing from the networks', async () => {
  await db`delete from rate_counters`
  await db`
    insert into rate_counters (key, window_start, count, expires_at)
    values ('ceiling:allContactMessages', now() - interval '10 minutes', ${LIMITS.allContactMessages.max - 1}, now() + interval '1 hour')`
  assert.equal((await attempt('2001:db8:2::1')).allowed, true)
  assert.deepEqual(lines, [])
  const refused = await attempt('2001:db8:3::1')
  assert.equal(refused.allowed, false)
  assert.ok(refused.retryAfterS > 40 * 60, String(refused.retryAfterS))
  assert.deepEqual(
    lines.map(({ level, ceiling, msg }) => [level, ceiling, msg]),
    [[50, 'allContactMessages', 'alarm: a limit of the whole installation is reached']],
  )
  assert.equal(await readCount(db, { key: 'test:2001:db8:3:0::/64', windowS: LIMITS.contactMessages.windowS }), 0)
})
