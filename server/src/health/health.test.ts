import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FailedMail, Health, ProcessFigures } from '#contract/health.ts'
import { newId } from '../db/ids.ts'
import { recordOperation } from '../jobs/run-record.ts'
import { type TestApp, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'

// Emails leave through a real mail server, which refuses some of them.

let refused: number | undefined
const inbox = await startSmtpInbox({ recipient: (address) => (address.startsWith('refused-') ? refused : undefined) })
const app = await testApp({ settings: { SMTP_URL: inbox.url, SUPPORT_EMAIL: 'refused-desk@example.com' } })
const admin = await createAdmin(app)
after(() => inbox.close())

const getHealth = async (): Promise<Health> => (await admin.get('/api/admin/health')).body
const listFailed = async (): Promise<FailedMail[]> => (await admin.get('/api/admin/failed-mails')).body.items
const codes = ({ warnings }: Health) => warnings.map(({ code }) => code)

/** Has an email queued to somebody whose address the mail server may refuse. */
async function queueTo(email: string): Promise<{ id: string }> {
  const person = await app.user({ email })
  const { id } = await app.vehicle(person)
  const { status, text } = await admin.post(`/api/admin/vehicles/${id}/reject`, { reason: 'Not readable' })
  assert.equal(status, 204, text)
  const [row] = await app.db<{ id: string }[]>`
    select id from outbox where recipient_id = ${person.id} and kind = 'vehicle_rejected'`
  return { id: row!.id }
}

const waitForFailure = (id: string) => eventually(async () => (await listFailed()).find((mail) => mail.id === id))

test('an email the mail server refuses is listed without its text, sent again by an admin, and recorded', async () => {
  refused = 550
  const email = `refused-${newId()}@gmail.com`
  const { id } = await queueTo(email)
  const mail = await waitForFailure(id)
  assert.deepEqual(
    { ...mail, failed_at: null },
    {
      id,
      kind: 'vehicle_rejected',
      to: 'r•••@gmail.com',
      failed_at: null,
      error: 'refused',
      response: '550',
    },
  )
  const health = await getHealth()
  assert.ok(health.mails.failed >= 1)
  assert.ok(codes(health).includes('mails_failed'))

  refused = undefined
  const { status } = await admin.post(`/api/admin/failed-mails/${id}/retry`)
  assert.equal(status, 204)
  const [arrived] = await inbox.to(email)
  assert.match(arrived!.raw, /Not readable/)
  assert.equal(
    (await listFailed()).find((other) => other.id === id),
    undefined,
  )
  const { body } = await admin.get('/api/admin/audit-log')
  const [entry] = body.items
  assert.deepEqual(
    [entry.action, entry.subject, entry.subject_id, entry.actor_email],
    ['mail_retried', 'vehicle_rejected · r•••@gmail.com', id, admin.email],
  )
  assert.equal((await admin.post(`/api/admin/failed-mails/${id}/retry`)).status, 404) // it has left
})

test('all failed emails are sent again together, those of the contact page too', async () => {
  refused = 451
  const form = {
    type: 'contact',
    name: 'Zoé',
    email: 'zoe@example.com',
    subject: 'partnership',
    message: 'Can we talk?',
  }
  assert.equal((await app.visitor.post('/send-email', form)).status, 200)
  const { id } = await queueTo(`refused-${newId()}@example.com`)
  // they are given up after 72 hours
  await app.db`update outbox set created_at = created_at - interval '73 hours' where sent_at is null`
  const failed = await eventually(async () => {
    await admin.post('/api/admin/waiting-mails/hurry')
    const mails = await listFailed()
    return mails.some(({ kind }) => kind === 'contact') && mails.some((mail) => mail.id === id) ? mails : undefined
  })
  const contact = failed.find(({ kind }) => kind === 'contact')
  assert.deepEqual([contact?.to, contact?.error, contact?.response], ['r•••@•••.com', 'busy', '451'])

  refused = undefined
  const { body } = await admin.post('/api/admin/failed-mails/retry')
  assert.equal(body.count, failed.length)
  assert.equal((await inbox.to('refused-desk@example.com')).length, 1)
  assert.deepEqual(await listFailed(), [])
  const actions = (await admin.get('/api/admin/audit-log')).body.items.map((entry: { action: string }) => entry.action)
  assert.equal(actions[0], 'mails_retried')
  assert.ok(actions.includes('mails_hurried'))
})

test('an email that waits for its next try is counted with since when it is due, and can be sent right away', async () => {
  refused = 450
  const { id } = await queueTo(`refused-${newId()}@example.com`)
  await eventually(async () => {
    const [row] = await app.db`select from outbox where id = ${id} and last_error is not null and lease_token is null`
    return row
  })
  await app.db`
    update outbox set due_since = due_since - interval '6 minutes', run_at = now() + interval '20 minutes' where id = ${id}`
  const health = await getHealth()
  assert.ok(health.mails.waiting >= 1)
  assert.ok(Date.parse(health.at) - Date.parse(health.mails.oldest_at!) > 6 * 60_000)
  assert.ok(codes(health).includes('mails_late'))
  refused = undefined
  // others that were refused in this app may wait too
  assert.ok((await admin.post('/api/admin/waiting-mails/hurry')).body.count >= 1)
  await eventually(async () => ((await getHealth()).mails.waiting === 0 ? true : undefined))
  assert.equal((await getHealth()).mails.oldest_at, null)
})

test('an email about a message that was refused is no failure any more for its sender once it is sent again', async () => {
  refused = 550
  const owner = await app.user({ email: `refused-${newId()}@example.com` })
  const { plate } = await app.vehicle(owner)
  const sent = await (await app.user()).post('/api/messages', { plate, content: 'Your lights are on' })
  const [failed] = await eventually(async () => {
    const rows = await app.db<{ id: string }[]>`
      select id from outbox where ref_id = ${sent.body.id} and failed_at is not null`
    return rows.length > 0 ? rows : undefined
  })
  const isNoted = async () =>
    (await app.db`select from messages where id = ${sent.body.id} and email_failed_at is not null`).length === 1
  assert.ok(await isNoted())
  refused = undefined
  assert.equal((await admin.post(`/api/admin/failed-mails/${failed!.id}/retry`)).status, 204)
  assert.equal(await isNoted(), false)
})

test('a notification that no device was pushed counts as a push that waits, until it is read', async () => {
  const owner = await app.user()
  const { plate } = await app.vehicle(owner)
  const [{ id: sessionId }] = await app.db<[{ id: string }]>`select id from auth.sessions where user_id = ${owner.id}`
  await app.db`
    insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth, pushed_number, next_at)
    values (${sessionId}, ${owner.id}, ${`https://localhost/${newId()}`}, 'x', 'x', 0, now() + interval '1 hour')`
  const before = (await getHealth()).pushes.waiting
  await (await app.user()).post('/api/messages', { plate, content: 'Your lights are on' })
  const { pushes } = await getHealth()
  assert.equal(pushes.waiting, before + 1)
  assert.ok(pushes.oldest_at)
  await app.db`update notifications set created_at = created_at - interval '6 minutes' where user_id = ${owner.id}`
  assert.ok(codes(await getHealth()).includes('pushes_late'))
  await app.db`update notifications set is_read = true where user_id = ${owner.id}`
  assert.equal((await getHealth()).pushes.waiting, before)
})

test('every background job says when it last ran, and one that fails or stops running is a warning', async () => {
  const health = await eventually(async () => {
    const found = await getHealth()
    return found.jobs.length === 6 && found.jobs.every(({ ok }) => ok) ? found : undefined
  })
  const job = health.jobs.find(({ name }) => name === 'settling overdue disputes')
  assert.equal(job?.every_s, 60)
  assert.ok(job?.succeeded_at && job.took_ms !== null && job.error === null)

  // its table is gone for a moment: it fails, says so, and works again
  await app.db`alter table rate_counters rename to hidden`
  const other = await testApp({ sibling: app, settings: { ROLE: 'worker' } })
  const failing = await eventually(async () => {
    const found = await getHealthFrom(app)
    return found.warnings.some(({ subject }) => subject === 'deleting expired rate counters') ? found : undefined
  })
  await app.db`alter table hidden rename to rate_counters`
  await other.close()
  const failed = failing.jobs.find(({ name }) => name === 'deleting expired rate counters')
  assert.deepEqual([failed?.ok, failed?.error], [false, '42P01'])
  assert.ok(failed?.succeeded_at)

  await app.db`update job_runs set started_at = now() - interval '9 minutes' where name = 'tidying attachments'`
  assert.deepEqual(
    (await getHealth()).warnings.find(({ subject }) => subject === 'tidying attachments'),
    { code: 'job_late', subject: 'tidying attachments' },
  )
})

/** Reads the figures while calls over HTTP cannot be counted. */
async function getHealthFrom({ db }: TestApp, production = false): Promise<Health> {
  const { getHealth: read } = await import('./get-health.ts')
  return read(db, { production })
}

test('each process shows its own figures, and one that stopped is not shown', async () => {
  const find = (health: Health, role: string) => health.processes.find((process) => process.role === role)
  const sibling = await testApp({ sibling: app, settings: { ROLE: 'web' } })
  const web = (await eventually(async () => find(await getHealth(), 'web'))) as ProcessFigures
  assert.match(web.version, /^\d+\.\d+\.\d+/)
  assert.equal(web.node, process.versions.node)
  assert.equal(web.pool_size, app.config.DATABASE_POOL)
  assert.ok(web.disk_free_bytes! > 0 && web.disk_free_bytes! <= web.disk_total_bytes!)
  assert.ok(web.memory_bytes > 1e6 && web.event_loop_delay_ms >= 0 && web.streams === 0)
  assert.ok(find(await getHealth(), 'all'))
  await sibling.close()
  assert.equal(find(await getHealth(), 'web'), undefined)

  // what a killed process leaves behind
  await app.db`
    insert into processes (id, role, version, node, started_at, seen_at, streams, pool_size, pool_in_use, pool_waiting,
      pool_refused, event_loop_delay_ms, memory_bytes)
    values (${newId()}, 'web', '0.0.1', '20.0.0', now(), now() - interval '3 minutes', 0, 8, 0, 0, 0, 0, 1)`
  assert.equal(find(await getHealth(), 'web'), undefined)
})

test('full pools, full disks, slow loops, different versions and a missing worker are warnings', async () => {
  const [id, full] = [newId(), { disk_free_bytes: 9, disk_total_bytes: 100 }]
  const row = { pool_size: 8, pool_in_use: 8, pool_waiting: 3, pool_refused: 0, event_loop_delay_ms: 900, streams: 2 }
  const rest = { role: 'web', version: '0.0.1', node: '20.0.0', started_at: '2020-01-01', memory_bytes: 1 }
  await app.db`insert into processes ${app.db({ id, ...row, ...rest, ...full })}`
  const { warnings } = await getHealth()
  for (const code of ['pool_exhausted', 'disk_low', 'event_loop_slow'])
    assert.ok(
      warnings.some((warning) => warning.code === code && warning.subject === id),
      code,
    )
  await app.db`update processes set started_at = now() - interval '1 hour' where id <> ${id}`
  assert.ok(codes(await getHealth()).includes('versions_differ'))
  const kept = await app.db`select * from processes where role <> 'web'`
  await app.db`update processes set seen_at = now() - interval '3 minutes' where role <> 'web'`
  assert.equal(codes(await getHealth())[0], 'no_worker')
  await app.db`update processes set seen_at = now() where id = any(${kept.map((process) => process['id'])}::uuid[])`
  await app.db`delete from processes where id = ${id}`
})

test('a backup is known by its last run, and missed after 26 hours', async () => {
  assert.ok(codes(await getHealth()).includes('backup_unknown'))
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  await recordOperation(app.db, { name: 'backup', startedAt: hoursAgo(30), ok: true, detail: null })
  await app.db`update operations_runs set ended_at = started_at`
  assert.ok(codes(await getHealth()).includes('backup_old'))
  await recordOperation(app.db, { name: 'backup', startedAt: hoursAgo(2), ok: false, detail: 'no space' })
  const failed = await getHealth()
  assert.equal(failed.backup.ok, false)
  assert.ok(codes(failed).includes('backup_failed') && codes(failed).includes('backup_old'))
  await recordOperation(app.db, { name: 'backup', startedAt: hoursAgo(1), ok: true, detail: null })
  const good = await getHealth()
  assert.ok(good.backup.succeeded_at && good.backup.ok)
  assert.ok(!codes(good).some((code) => code.startsWith('backup')))
  // where the data are people's
  assert.equal(good.backup.is_encrypted, false)
  assert.ok(codes(await getHealthFrom(app, true)).includes('backup_readable'))
  await app.db`update operations_runs set is_encrypted = true`
  assert.ok(!codes(await getHealthFrom(app, true)).includes('backup_readable'))
})
