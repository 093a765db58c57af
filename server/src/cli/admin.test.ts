import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '../test/app.ts'
import { fieldsOf } from '../test/fields.ts'
import { runCommand } from '../test/product.ts'
import { parseAction } from './admin.ts'
import { UsageError } from './command.ts'

const { db, config, database } = await testApp({ settings: { ROLE: 'web' } })

/** Does what the command does in a process of its own; one test starts that. */
async function admin(...args: string[]): Promise<{ code: number; out: string }> {
  try {
    const { text, failed } = await parseAction(args)({ config, db })
    return { code: failed ? 1 : 0, out: text }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { code: 2, out: error.message }
  }
}

/** Creates a confirmed account with a session. */
async function createAccount(email: string): Promise<string> {
  const id = randomUUID()
  await db`insert into auth.users (id, email, person_hash, email_confirmed_at) values (${id}, ${email}, decode(md5(${email}), 'hex'), now())`
  await db`insert into auth.sessions (id, user_id, amr) values (gen_random_uuid(), ${id}, '[]')`
  return id
}
const sessionsOf = async (id: string) => (await db`select from auth.sessions where user_id = ${id}`).length
const entriesAbout = async (id: string) =>
  fieldsOf(
    await db`select action, subject, actor_id from audit_log where subject_id = ${id} order by id`,
    'action',
    'subject',
    'actor_id',
  )

test('the command makes the first admin, from a confirmed account', async () => {
  const run = async (...args: string[]) => {
    const { code, out, err } = await runCommand('admin', args, { DATABASE_URL: database.url })
    return { code, out: out.trim(), err }
  }
  const id = await createAccount('first@example.com')
  await db`update auth.users set email_confirmed_at = null where id = ${id}`
  assert.deepEqual(await admin('list'), { code: 0, out: 'There is no admin yet.' })
  const early = await run('grant', 'first@example.com')
  assert.equal(early.code, 1)
  assert.match(early.out, /No confirmed account has the address first@example\.com/)

  await db`update auth.users set email_confirmed_at = now()`
  const out = 'first@example.com is an admin now.'
  assert.deepEqual(await run('grant', 'First@Example.com'), { code: 0, out, err: '' })
  assert.equal((await admin('list')).out, 'first@example.com')
})

test('granting and revoking the admin role is logged, and a command that changes nothing is not', async () => {
  const id = await createAccount('second@example.com')
  for (const command of ['grant', 'grant', 'revoke', 'revoke']) await admin(command, 'second@example.com')
  assert.deepEqual(await entriesAbout(id), [
    ['admin_granted', 's•••@•••.com', null],
    ['admin_revoked', 's•••@•••.com', null],
  ])
})

test('the last admin keeps the role, and is not suspended', async () => {
  const refused = await admin('revoke', 'first@example.com')
  assert.equal(refused.code, 1)
  assert.match(refused.out, /last admin/)
  assert.match((await admin('suspend', 'first@example.com')).out, /last admin/)
  assert.equal((await admin('list')).out, 'first@example.com')
})

test('an account is suspended and the suspension lifted: sessions end, it is recorded, and done once', async () => {
  const id = await createAccount('third@example.com')
  assert.equal((await admin('suspend', 'Third@example.com')).code, 0)
  const [suspended] =
    await db`select is_sanctioned(person_hash, 'suspend') as suspended from auth.users where id = ${id}`
  assert.deepEqual([suspended!['suspended'], await sessionsOf(id)], [true, 0])
  assert.match((await admin('suspend', 'third@example.com')).out, /already suspended/)
  assert.equal((await admin('lift', 'third@example.com')).code, 0)
  assert.match((await admin('lift', 'third@example.com')).out, /nothing to lift/)
  const entries =
    await db`select action, subject from audit_log where action in ('user_suspended', 'suspension_lifted') order by id`
  assert.deepEqual(fieldsOf(entries, 'action', 'subject'), [
    ['user_suspended', 't•••@•••.com'],
    ['suspension_lifted', 't•••@•••.com'],
  ])
  const events = await db`select type from auth.events where user_id = ${id} order by at`
  assert.deepEqual(fieldsOf(events, 'type'), ['session_ended', 'suspended', 'suspension_lifted'])
})

test('lost factors, or a password, are reset once: with every session, recorded and notified by email', async () => {
  const id = await createAccount('fourth@example.com')
  await db`update auth.users set encrypted_password = 'hash' where id = ${id}`
  await db`
    insert into auth.factors (id, user_id, factor_type, friendly_name, secret_encrypted, verified_at)
    values (gen_random_uuid(), ${id}, 'totp', 'Phone', '\\x00', now())`
  for (const [action, said, again] of [
    ['reset-factors', /has no second factor any more/, /has no second factor\.$/],
    ['reset-password', /^The password of fourth@example\.com no longer works\. /, /has no password\.$/],
  ] as const) {
    await db`insert into auth.sessions (id, user_id, amr) values (gen_random_uuid(), ${id}, '[]')`
    assert.match((await admin(action, 'fourth@example.com')).out, said)
    assert.equal(await sessionsOf(id), 0)
    const { code, out } = await admin(action, 'fourth@example.com')
    assert.equal(code, 1)
    assert.match(out, again)
  }
  const mails = await db`select kind from outbox where recipient_id = ${id} order by id`
  assert.deepEqual(fieldsOf(mails, 'kind'), ['factor_changed', 'password_changed'])
  assert.deepEqual(await entriesAbout(id), [
    ['factors_reset', 'f•••@•••.com', null],
    ['password_reset', 'f•••@•••.com', null],
  ])
})

test('an address that no account has is said to be one', async () => {
  for (const command of ['suspend', 'lift', 'reset-factors', 'reset-password', 'sign-out'])
    assert.deepEqual(
      await admin(command, 'mistyped@example.com'),
      { code: 1, out: 'No account has the address mistyped@example.com.' },
      command,
    )
})

test('one account is signed out, or everybody', async () => {
  const [one, other] = [await createAccount('one@example.com'), await createAccount('other@example.com')]
  assert.equal((await admin('sign-out', 'one@example.com')).code, 0)
  assert.deepEqual([await sessionsOf(one), await sessionsOf(other)], [0, 1])
  const { length } = await db`select from auth.sessions`
  const { code, out } = await admin('sign-out-everybody')
  assert.equal(code, 0)
  assert.match(out, new RegExp(`^${length} sessions have ended`))
  assert.equal((await db`select from auth.sessions`).length, 0)
})

test('what every admin is a side of is decided: vehicles by their plate, reports by their id', async () => {
  const owner = await createAccount('fifth@example.com')
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
