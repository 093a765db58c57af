import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActivityWeek } from '#contract/admin.ts'
import { newIdAt } from '../db/ids.ts'
import { testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'
import { DAY_MS } from '../time.ts'
import { countFinishedWeeks } from './activity.ts'

const app = await testApp({ settings: { ROLE: 'web' } }) // runs no jobs: the test does
const admin = await createAdmin(app)

const readWeeks = async (): Promise<ActivityWeek[]> => (await admin.get('/api/admin/activity')).body.weeks

test('the last twelve weeks show what happened in them, the current one as of now', async () => {
  const owner = await app.user()
  const { plate } = await app.vehicle(owner)
  const sent = await (await app.user()).post('/api/messages', { plate, content: 'I know where you park' })
  const report = await owner.post(`/api/messages/${sent.body.id}/report`, { reason: 'threat' })
  assert.ok(report.status < 300, report.text)

  const weeks = await readWeeks()
  assert.equal(weeks.length, 12)
  for (const [i, { starts_on }] of weeks.entries()) {
    assert.equal(new Date(starts_on).getUTCDay(), 1, starts_on)
    if (i > 0) assert.equal(Date.parse(starts_on) - Date.parse(weeks[i - 1]!.starts_on), 7 * DAY_MS)
  }
  const current = weeks.at(-1)!
  assert.ok(Date.now() - Date.parse(current.starts_on) < 7 * DAY_MS)
  assert.deepEqual([current.registrations, current.messages, current.reports], [1, 1, 1])
  // no job has counted the earlier ones yet
  assert.ok(weeks.slice(0, -1).every(({ messages }) => messages === null))
})

test('a week that is over is counted once, from its first moment to its last, and keeps what is deleted later', async () => {
  const weeks = await readWeeks()
  const { starts_on } = weeks[8]!
  const startMs = Date.parse(starts_on)
  const owner = await app.user()
  const register = (ms: number) => app.db`
    insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
    values (${newIdAt(new Date(ms))}, ${owner.id}, ${`W${String(ms % 999_983)}`}, 'Honda', 'Civic', 2020, 'Ontario', 'active')`
  for (const ms of [startMs - 1, startMs, startMs + 3 * DAY_MS, startMs + 7 * DAY_MS - 1, startMs + 7 * DAY_MS])
    await register(ms)
  await countFinishedWeeks(app.db)
  const counted = await readWeeks()
  assert.deepEqual(fieldsOf(counted.slice(7, 10), 'registrations'), [1, 3, 1])
  assert.ok(counted.slice(0, -1).every(({ messages, reports }) => messages === 0 && reports === 0))

  await app.db`delete from vehicles where user_id = ${owner.id}`
  await countFinishedWeeks(app.db)
  assert.equal((await readWeeks())[8]!.registrations, 3)
})
