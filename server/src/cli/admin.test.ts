import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { createTestDatabase } from '../test/database.ts'
import { fieldsOf } from '../test/fields.ts'
import { runCommand } from '../test/product.ts'

const database = await createTestDatabase()
const db = openPool(database.connection, 2)
after(async () => {
  await db.end()
  await database.drop()
})

async function admin(...args: string[]) {
  const { code, out, err } = await runCommand('admin', args, { DATABASE_URL: database.url })
  return { code, out: out.trim(), err: err.trim() }
}

test('the command makes the first admin, from a confirmed account', async () => {
  await db`insert into auth.users (id, email, person_hash) values ('01900000-0000-7000-8000-000000000001', 'first@example.com', '\\x01')`
  assert.deepEqual(await admin('list'), { code: 0, out: 'There is no admin yet.', err: '' })
  const early = await admin('grant', 'first@example.com')
  assert.equal(early.code, 1)
  assert.match(early.out, /No confirmed account has the address first@example\.com/)

  await db`update auth.users set email_confirmed_at = now()`
  assert.deepEqual(await admin('grant', 'First@Example.com'), {
    code: 0,
    out: 'first@example.com is an admin now.',
    err: '',
  })
  assert.equal((await admin('list')).out, 'first@example.com')
})

test('granting and revoking the admin role is logged, and a command that changes nothing is not', async () => {
  const second = '01900000-0000-7000-8000-000000000002'
  await db`insert into auth.users (id, email, person_hash, email_confirmed_at) values (${second}, 'second@example.com', '\\x02', now())`
  for (const command of ['grant', 'grant', 'revoke', 'revoke']) await admin(command, 'second@example.com')
  const entries = await db`
    select action, actor_id, actor_email, subject, reason_encrypted from audit_log where subject_id = ${second} order by id`
  const common = { actor_id: null, actor_email: null, subject: 's•••@•••.com', reason_encrypted: null }
  assert.deepEqual(
    entries.map((entry) => ({ ...entry })),
    [
      { action: 'admin_granted', ...common },
      { action: 'admin_revoked', ...common },
    ],
  )
})

test('the last admin keeps the role, and is not suspended', async () => {
  const refused = await admin('revoke', 'first@example.com')
  assert.equal(refused.code, 1)
  assert.match(refused.out, /last admin/)
  assert.match((await admin('suspend', 'first@example.com')).out, /last admin/)
  assert.equal((await admin('list')).out, 'first@example.com')
})

test('an account is suspended and the suspension lifted: sessions end, it is recorded, and done once', async () => {
  const third = '01900000-0000-7000-8000-000000000003'
  const session = '01900000-0000-7000-8000-000000000033'
  await db`insert into auth.users (id, email, person_hash, email_confirmed_at) values (${third}, 'third@example.com', '\\x03', now())`
  await db`insert into auth.sessions (id, user_id, amr) values (${session}, ${third}, '[]')`
  assert.equal((await admin('suspend', 'Third@example.com')).code, 0)
  const [suspended] = await db`
    select is_sanctioned(person_hash, 'suspend') as suspended,
      (select count(*)::int from auth.sessions where user_id = u.id) as sessions
    from auth.users u where id = ${third}`
  assert.deepEqual({ ...suspended }, { suspended: true, sessions: 0 })
  assert.match((await admin('suspend', 'third@example.com')).out, /already suspended/)
  assert.equal((await admin('lift', 'third@example.com')).code, 0)
  assert.match((await admin('lift', 'third@example.com')).out, /nothing to lift/)
  const entries =
    await db`select action, subject from audit_log where action in ('user_suspended', 'suspension_lifted') order by id`
  assert.deepEqual(fieldsOf(entries, 'action', 'subject'), [
    ['user_suspended', 't•••@•••.com'],
    ['suspension_lifted', 't•••@•••.com'],
  ])
  const events = await db`select type from auth.events where user_id = ${third} order by at`
  assert.deepEqual(fieldsOf(events, 'type'), ['session_ended', 'suspended', 'suspension_lifted'])
})

test('lost factors are reset: all of them, with every session, recorded and notified by email', async () => {
  const fourth = '01900000-0000-7000-8000-000000000004'
  await db`insert into auth.users (id, email, person_hash, email_confirmed_at) values (${fourth}, 'fourth@example.com', '\\x04', now())`
  assert.equal((await admin('reset-factors', 'fourth@example.com')).code, 1)
  await db`
    insert into auth.factors (id, user_id, factor_type, friendly_name, secret_encrypted, verified_at)
    values (gen_random_uuid(), ${fourth}, 'totp', 'Phone', '\\x00', now())`
  await db`insert into auth.sessions (id, user_id, amr) values (gen_random_uuid(), ${fourth}, '[]')`
  assert.match((await admin('reset-factors', 'fourth@example.com')).out, /has no second factor any more/)
  const [left] = await db`
    select (select count(*)::int from auth.factors where user_id = ${fourth}) as factors,
      (select count(*)::int from auth.sessions where user_id = ${fourth}) as sessions,
      (select count(*)::int from outbox where recipient_id = ${fourth} and kind = 'factor_changed') as mails,
      (select count(*)::int from audit_log where subject_id = ${fourth} and action = 'factors_reset') as entries`
  assert.deepEqual({ ...left }, { factors: 0, sessions: 0, mails: 1, entries: 1 })
})

test('an address that no account has is said to be one', async () => {
  for (const command of ['suspend', 'lift', 'reset-factors', 'reset-password', 'sign-out'])
    assert.deepEqual(
      await admin(command, 'mistyped@example.com'),
      { code: 1, out: 'No account has the address mistyped@example.com.', err: '' },
      command,
    )
})

test('one account is signed out, or everybody', async () => {
  const people = await db<{ id: string; email: string }[]>`select id, email from auth.users order by email`
  const start = () => db`
    insert into auth.sessions (id, user_id, amr) select gen_random_uuid(), id, '[]' from auth.users`
  const sessionsOf = async (id: string) => (await db`select from auth.sessions where user_id = ${id}`).length
  const [first, second] = people
  await start()
  assert.equal((await admin('sign-out', first!.email)).code, 0)
  assert.deepEqual([await sessionsOf(first!.id), await sessionsOf(second!.id)], [0, 1])

  await start()
  const { code, out } = await admin('sign-out-everybody')
  assert.equal(code, 0)
  assert.match(out, new RegExp(`^${people.length * 2 - 1} sessions have ended`))
  assert.equal((await db`select from auth.sessions`).length, 0)
})

test('what every admin is a side of is decided: vehicles by their plate, reports by their id', async () => {
  const owner = '01900000-0000-7000-8000-000000000005'
  await db`insert into auth.users (id, email, person_hash, email_confirmed_at) values (${owner}, 'fifth@example.com', '\\x05', now())`
  const plates = [
    ['01900000-0000-7000-8000-000000000051', 'CLI1', 'Ontario'],
    ['01900000-0000-7000-8000-000000000052', 'CLI1', 'Quebec'],
    ['01900000-0000-7000-8000-000000000053', 'CLI-2', 'Ontario'],
    ['01900000-0000-7000-8000-000000000054', 'CLI3', 'Ontario'],
  ]
  for (const [id, plate, province] of plates)
    await db`
      insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
      values (${id!}, ${owner}, ${plate!}, 'Honda', 'Civic', 2020, ${province!}, 'active')`
  const several = await admin('approve', 'fifth@example.com', 'CLI1')
  assert.deepEqual([several.code, /several provinces/.test(several.out)], [1, true])
  assert.equal((await admin('approve', 'fifth@example.com', 'CLI1/Quebec')).code, 0)
  assert.match((await admin('approve', 'fifth@example.com', 'CLI1/Quebec')).out, /already/)
  assert.equal((await admin('reject', 'fifth@example.com', 'cli2')).code, 2)
  assert.equal((await admin('reject', 'fifth@example.com', 'cli2', 'Not', 'theirs')).code, 0)
  assert.equal((await admin('delete', 'fifth@example.com', 'CLI3')).code, 0)
  assert.equal((await admin('delete', 'fifth@example.com', 'CLI3')).code, 1)
  const left = await db`select plate, status from vehicles where user_id = ${owner} order by id`
  assert.deepEqual(fieldsOf(left, 'plate', 'status'), [
    ['CLI1', 'active'],
    ['CLI1', 'verified'],
    ['CLI-2', 'rejected'],
  ])

  const [subject, report] = ['01900000-0000-7000-8000-000000000061', '01900000-0000-7000-8000-000000000062']
  await db`insert into subjects (id, person_hash) values (${subject}, '\\x05')`
  await db`
    insert into report_cases (id, message_id, side, subject_id, reason, key_envelope, evidence_box)
    values (${report}, gen_random_uuid(), 'message', ${subject}, 'spam', '\\x00', '\\x00')`
  assert.equal((await admin('decide', report, 'keep', 'It', 'stays')).code, 1)
  assert.equal((await admin('decide', report, 'shout', 'Loudly')).code, 2)
  assert.equal((await admin('decide', report, 'dismiss', 'Nothing', 'in it')).code, 0)
  assert.match((await admin('decide', report, 'dismiss', 'Again')).out, /decided|closed/)
  const entries = await db`
    select action, actor_id from audit_log where action in ('vehicle_approved', 'vehicle_rejected', 'vehicle_deleted', 'report_decided')
    order by id`
  assert.deepEqual(
    fieldsOf(entries, 'action', 'actor_id'),
    ['vehicle_approved', 'vehicle_rejected', 'vehicle_deleted', 'report_decided'].map((action) => [action, null]),
  )
})
