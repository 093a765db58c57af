import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../db/ids.ts'
import { settleWaitingMails } from '../email/queries.ts'
import { testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'
import { runCommand } from '../test/product.ts'
import { parseAction } from './mails.ts'

const app = await testApp({ settings: { ROLE: 'web' } }) // nothing leaves meanwhile

const mails = (...args: string[]) => parseAction(args)(app.db)

test('the command shows what failed without naming anybody, sends it again, and the audit log has it', async () => {
  const person = await createAdmin(app)
  await app.db`delete from outbox`
  const insert = (row: object) =>
    app.db`insert into outbox ${app.db({ id: newId(), kind: 'reply', ref_id: newId(), recipient_id: person.id, ...row })}`
  await insert({ failed_at: new Date(), last_error: 'smtp_550' })
  await insert({ failed_at: new Date(), last_error: 'smtp_550' })
  const later = new Date(Date.now() + 3_600_000)
  await insert({ attempts: 2, due_since: new Date(0), run_at: later, last_error: 'timeout' })

  const status = await runCommand('mails', ['status'], { DATABASE_URL: app.database.url })
  assert.deepEqual([status.code, status.err], [0, ''])
  assert.equal(
    status.out.trim(),
    'Waiting: 1; the oldest that is due, since: 1970-01-01T00:00:00.000Z.\nFailed: 2.\n  2 × reply: smtp_550',
  )
  assert.equal(await mails('send-now'), '1 waiting emails are sent now.')
  assert.equal(await mails('retry'), '2 failed emails are sent again.')
  const [row] = await app.db`select count(*)::int from outbox where failed_at is null and run_at <= now()`
  assert.equal(row?.['count'], 3)
  const { body } = await person.get('/api/admin/audit-log')
  assert.deepEqual(fieldsOf(body.items.slice(0, 2), 'action', 'subject', 'actor_email'), [
    ['mails_retried', '2', null],
    ['mails_hurried', '1', null],
  ])
})

test('what waited when a restored backup was made is no failure, and is sent only when that is asked for', async () => {
  const person = await createAdmin(app)
  await app.db`delete from outbox`
  const row = { id: newId(), kind: 'reply', ref_id: newId(), recipient_id: person.id }
  await app.db`insert into outbox ${app.db(row)}`
  assert.equal(await settleWaitingMails(app.db), 1)

  const { body: health } = await person.get('/api/admin/health')
  assert.equal(health.mails.failed, 0)
  assert.ok(!health.warnings.some(({ code }: { code: string }) => code === 'mails_failed'))
  assert.deepEqual((await person.get('/api/admin/failed-mails')).body.items, [])
  assert.equal((await person.post('/api/admin/failed-mails/retry')).body.count, 0)
  assert.equal(
    await mails('status'),
    'Waiting: 0; the oldest that is due, since: none is due.\nFailed: 0.\n  1 × reply: restored',
  )
  assert.equal(await mails('retry'), '0 failed emails are sent again.')

  assert.equal(await mails('retry-restored'), '1 emails that waited when a restored backup was made are sent.')
  assert.match(await mails('status'), /^Waiting: 1;.*\nFailed: 0\.$/)
})
