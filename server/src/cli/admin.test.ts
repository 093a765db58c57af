import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { createTestDatabase } from '../test/database.ts'
import { runCommand } from '../test/product.ts'

const database = await createTestDatabase()
const db = openPool(database.connection, 2)
after(async () => {
  await db.end()
  await database.drop()
})

/** Runs the command as `npm run admin -- …` does. */
async function admin(...args: string[]) {
  const { code, out, err } = await runCommand('cli/admin.ts', args, { DATABASE_URL: database.url })
  return { code, out: out.trim(), err: err.trim() }
}

test('the command makes the first admin, from a confirmed account', async () => {
  await db`insert into auth.users (id, email) values ('01900000-0000-7000-8000-000000000001', 'first@example.com')`
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
  await db`insert into auth.users (id, email, email_confirmed_at) values (${second}, 'second@example.com', now())`
  for (const command of ['grant', 'grant', 'revoke', 'revoke']) await admin(command, 'second@example.com')
  const entries = await db`
    select action, actor_id, actor_email, subject, reason_encrypted from audit_log where subject_id = ${second} order by id`
  const common = { actor_id: null, actor_email: null, subject: 's•••@example.com', reason_encrypted: null }
  assert.deepEqual(
    entries.map((entry) => ({ ...entry })),
    [
      { action: 'admin_granted', ...common },
      { action: 'admin_revoked', ...common },
    ],
  )
})

test('the last admin keeps the role', async () => {
  const refused = await admin('revoke', 'first@example.com')
  assert.equal(refused.code, 1)
  assert.match(refused.out, /last admin/)
  assert.equal((await admin('revoke', 'nobody@example.com')).code, 1)
  assert.equal((await admin('list')).out, 'first@example.com')
})

test('any other arguments print the usage', async () => {
  for (const args of [[], ['grant'], ['grant', 'nobody'], ['list', 'x'], ['promote', 'first@example.com']]) {
    const { code, err } = await admin(...args)
    assert.equal(code, 1)
    assert.match(err, /^usage: npm run admin/)
  }
})
