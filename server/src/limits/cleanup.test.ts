import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'

const app = await testApp({ settings: { ROLE: 'web' } }) // runs no jobs
after(() => app.close())

test('a server that starts deletes expired rate counters and keeps current ones', async () => {
  await app.db`
    insert into rate_counters (key, window_start, count, expires_at)
    values ('cleanup-old', now() - interval '20 minutes', 1, now() - interval '1 minute'),
      ('cleanup-new', now(), 1, now() + interval '15 minutes')`
  const worker = await testApp({ sibling: app, settings: { ROLE: 'worker' } })
  try {
    await eventually(async () => {
      const expired = await app.db`select from rate_counters where key = 'cleanup-old'`
      return expired.length === 0 ? true : undefined
    })
    const left = await app.db`select key from rate_counters where key like 'cleanup-%'`
    assert.deepEqual(
      left.map((row) => row['key']),
      ['cleanup-new'],
    )
  } finally {
    await worker.close()
  }
})
