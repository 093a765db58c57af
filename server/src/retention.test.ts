import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanUpAttachments } from './attachments/cleanup.ts'
import { newId } from './db/ids.ts'
import { deleteWhatIsOver } from './hourly-cleanup.ts'
import { BACKUP_RUN, recordOperation } from './jobs/run-record.ts'
import { deleteExpiredCounters } from './limits/rate-limiter.ts'
import { readEvidence } from './reports/case-queries.ts'
import { RETENTION } from './retention.ts'
import { testApp } from './test/app.ts'
import { caseOf } from './test/cases.ts'
import { createPlants, has, plantSanction, sentMessage } from './test/retention-plants.ts'

// Every period of the table is what really happens: there a day before, gone a day after (decision retention-and-deletion).

const app = await testApp({ settings: { ROLE: 'web' } }) // runs no jobs: the test does
const { db, context } = app
const PLANTS = createPlants(app)

/** Runs everything that deletes by itself. */
async function runCleanups() {
  await deleteWhatIsOver(context, new AbortController().signal)
  await deleteExpiredCounters(db)
  await cleanUpAttachments(context)
  await recordOperation(db, { name: BACKUP_RUN, startedAt: new Date(), ok: true, detail: null })
}

describe('the retention table', () => {
  for (const [name, period] of Object.entries(RETENTION)) {
    test(`${name}: ${period}`, async () => {
      const plant = await PLANTS[name as keyof typeof RETENTION]()
      const at = async (offset: string) => {
        const [row] = await db<{ at: string }[]>`select now() - ${period}::interval + ${offset}::interval as at`
        return row!.at
      }
      await plant.date(await at('1 day'))
      await runCleanups()
      assert.equal(await plant.isThere(), true, 'a day before')
      await plant.date(await at('-1 day'))
      await runCleanups()
      assert.equal(await plant.isThere(), false, 'a day after')
    })
  }

  test('a message that was reported a year later ends, and what was copied of it stays readable', async () => {
    const { id, owner } = await sentMessage(app)
    await db`update messages set inserted_at = now() - interval '12 months' + interval '1 hour' where id = ${id}`
    const report = await owner.post(`/api/messages/${id}/report`, { reason: 'threat', note: 'It is still going on' })
    assert.equal(report.status, 201, report.text)
    await db`update messages set inserted_at = inserted_at - interval '2 hours' where id = ${id}`
    await runCleanups()
    assert.equal(await has(db`select from messages where id = ${id}`), false)
    const found = await readEvidence(context, (await caseOf(app, id)).id)
    assert.deepEqual(
      [found?.evidence.content, found?.reports.map(({ note }) => note)],
      ['Your lights are on', ['It is still going on']],
    )
  })

  test('a suspension without an end stays, and so does a sanction whose appeal waits', async () => {
    const [lasting, appealed] = [await plantSanction(app, 'suspend'), await plantSanction(app, 'warn')]
    await db`update sanctions set created_at = '2020-01-01' where id in (${lasting.id}, ${appealed.id})`
    await db`insert into appeals (id, sanction_id, text_encrypted) values (${newId()}, ${appealed.id}, '\\x00')`
    await runCleanups()
    assert.ok(await has(db`select from sanctions where id = ${lasting.id}`))
    assert.ok(await has(db`select from sanctions where id = ${appealed.id}`))
  })
})
