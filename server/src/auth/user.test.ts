import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FRESH_SESSION_S } from '#contract/profile.ts'
import { PASSWORD, type Person, testApp } from '../test/app.ts'
import { assertRefused } from '../test/auth-links.ts'
import { holdLocks, waitForLockWaits } from '../test/locks.ts'
import { grantAdmin, revokeAdmin } from './admin-role.ts'

const app = await testApp()
after(() => app.close())

const NEXT = 'Another-horse-8'
const signIn = (email: string, password: string) =>
  app.visitor.post('/auth/v1/token?grant_type=password', { email, password })
/** Makes the sessions a person has now begin so long ago. */
const ageSessions = (person: Person, seconds: number) => app.db`
  update auth.sessions set amr = jsonb_set(amr, '{0,timestamp}', to_jsonb(extract(epoch from now())::int - ${seconds}::int))
  where user_id = ${person.id}`

test('data is merged key by key, null deletes a key, and the next session shows it', async () => {
  const person = await app.user({ full_name: 'Before' })
  await person.put('/auth/v1/user', { data: { theme: { dark: true }, count: 2 } })
  const { status, body } = await person.put('/auth/v1/user', { data: { full_name: 'After', count: null } })
  assert.equal(status, 200)
  assert.equal(body.user_metadata.full_name, 'After')
  assert.deepEqual(body.user_metadata.theme, { dark: true })
  assert.equal('count' in body.user_metadata, false)
  const again = await app.signIn(person.email, PASSWORD)
  assert.equal((await again.get('/auth/v1/user')).body.user_metadata.full_name, 'After')
})

test('concurrent changes of different keys are all kept', async () => {
  const person = await app.user()
  await Promise.all([1, 2, 3, 4, 5].map((n) => person.put('/auth/v1/user', { data: { [`key${n}`]: n } })))
  const { user_metadata } = (await person.get('/auth/v1/user')).body
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((n) => user_metadata[`key${n}`]),
    [1, 2, 3, 4, 5],
  )
})

test('an empty change changes nothing', async () => {
  const person = await app.user()
  const before = (await person.get('/auth/v1/user')).body
  const { status, body } = await person.put('/auth/v1/user', {})
  assert.equal(status, 200)
  assert.deepEqual(body, before)
})

test('nobody becomes an admin by changing data', async () => {
  const person = await app.user()
  const { body } = await person.put('/auth/v1/user', { data: { is_admin: true, email_verified: false, sub: 'x' } })
  assert.equal('is_admin' in body.user_metadata, false)
  assert.equal(body.user_metadata.sub, person.id)
  assert.equal(body.user_metadata.email_verified, true)
  assertRefused(await person.put('/auth/v1/user', { app_metadata: { role: 'admin' } }), 403, 'not_admin')
  const [row] = await app.db`select is_admin, user_metadata from auth.users where id = ${person.id}`
  assert.equal(row!['is_admin'], false)
  assert.equal('is_admin' in row!['user_metadata'], false)
})

test('the admin role is shown as read-only metadata, and granting and revoking take effect immediately', async () => {
  const [person, other] = [await app.user(), await app.user()]
  assert.equal(await grantAdmin(app.db, person.email), true)
  assert.equal(await grantAdmin(app.db, other.email), true)
  assert.equal((await person.get('/auth/v1/user')).body.user_metadata.is_admin, true)
  const { body } = await person.put('/auth/v1/user', { data: { is_admin: null } })
  assert.equal(body.user_metadata.is_admin, true)
  assert.equal(await revokeAdmin(app.db, person.email), 'revoked')
  assert.equal('is_admin' in (await person.get('/auth/v1/user')).body.user_metadata, false)
  assert.equal(await revokeAdmin(app.db, person.email), 'not_an_admin')
  assert.equal(await revokeAdmin(app.db, other.email), 'last_admin')
  assert.equal(await grantAdmin(app.db, 'nobody@example.com'), false)
})

test('two admins cannot revoke each other at the same moment', async () => {
  const [left] = await app.db`select email from auth.users where is_admin`
  const person = await app.user()
  await grantAdmin(app.db, person.email)
  const outcomes = await Promise.all([revokeAdmin(app.db, person.email), revokeAdmin(app.db, left!['email'])])
  assert.deepEqual(outcomes.sort(), ['last_admin', 'revoked'])
})

test('email address and phone number cannot be changed', async () => {
  const person = await app.user()
  const response = await person.put('/auth/v1/user', { email: 'else@example.com' })
  assertRefused(response, 400, 'validation_failed')
  assert.equal(response.body.msg, 'Email cannot be changed')
  assertRefused(await person.put('/auth/v1/user', { phone: '+15145550100' }), 400, 'validation_failed')
  assert.equal((await person.get('/auth/v1/user')).body.email, person.email)
})

test('within 15 minutes of signing in, a new password needs no current one; one that is given has to be right', async () => {
  const person = await app.user()
  await ageSessions(person, FRESH_SESSION_S - 30)
  assertRefused(
    await person.put('/auth/v1/user', { password: NEXT, current_password: 'Wrong-horse-7' }),
    400,
    'current_password_invalid',
  )
  assertRefused(await person.put('/auth/v1/user', { password: PASSWORD }), 422, 'same_password')
  assert.equal((await person.put('/auth/v1/user', { password: NEXT })).status, 200)
  assertRefused(await signIn(person.email, PASSWORD), 400, 'invalid_credentials')
  assert.equal((await signIn(person.email, NEXT)).status, 200)
})

test('later a new password requires the current one, ends the other sessions and keeps this one', async () => {
  const person = await app.user()
  await ageSessions(person, FRESH_SESSION_S + 5)
  const elsewhere = await app.signIn(person.email, PASSWORD)
  // refreshing a session does not make it a fresh one
  const refresh = { refresh_token: person.refreshToken }
  const refreshed = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', refresh)
  const renewed = app.withToken(refreshed.body.access_token)
  assertRefused(await renewed.put('/auth/v1/user', { password: NEXT }), 400, 'current_password_required')
  assertRefused(await person.put('/auth/v1/user', { password: NEXT }), 400, 'current_password_required')
  assertRefused(
    await person.put('/auth/v1/user', { password: NEXT, current_password: 'Wrong-horse-7' }),
    400,
    'current_password_invalid',
  )
  assert.equal((await elsewhere.get('/auth/v1/user')).status, 200)

  const change = await person.put('/auth/v1/user', { password: NEXT, current_password: PASSWORD })
  assert.equal(change.status, 200)
  assert.equal(change.text.includes('argon2'), false)
  assert.equal((await person.get('/auth/v1/user')).status, 200)
  assertRefused(await elsewhere.get('/auth/v1/user'), 403, 'session_not_found')
  assertRefused(await signIn(person.email, PASSWORD), 400, 'invalid_credentials')
  assert.equal((await signIn(person.email, NEXT)).status, 200)
})

test('the same, a weak, an empty and an overlong password are refused, and the old one stays', async () => {
  const person = await app.user()
  const set = (password: string) => person.put('/auth/v1/user', { password, current_password: PASSWORD })
  assertRefused(await set(PASSWORD), 422, 'same_password')
  assertRefused(await set(''), 422, 'weak_password')
  const weak = await set('abcdefgh')
  assertRefused(weak, 422, 'weak_password')
  assert.deepEqual(weak.body.weak_password.reasons, ['characters'])
  assertRefused(await set(`Aa1-${'x'.repeat(509)}`), 400, 'validation_failed')
  assert.equal((await signIn(person.email, PASSWORD)).status, 200)
})

test('of two concurrent password changes, one wins', async (t) => {
  const person = await app.user()
  // both have checked the present password before either changes it
  const unlock = await holdLocks(
    t,
    app.db,
    (connection) => connection`select from auth.users where id = ${person.id} for update`,
  )
  const changes = [NEXT, 'Third-horse-9'].map((password) =>
    person.put('/auth/v1/user', { password, current_password: PASSWORD }),
  )
  await waitForLockWaits(app.db, 2)
  await unlock()
  const responses = await Promise.all(changes)
  assert.deepEqual(
    responses.map((a) => a.status).sort((a, b) => a - b),
    [200, 409],
  )
})

test('data that merging makes too large is refused', async () => {
  const person = await app.user()
  assert.equal((await person.put('/auth/v1/user', { data: { a: 'x'.repeat(3000) } })).status, 200)
  assertRefused(await person.put('/auth/v1/user', { data: { b: 'x'.repeat(3000) } }), 400, 'validation_failed')
})
