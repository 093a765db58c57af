import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FRESH_SESSION_S } from '#contract/profile.ts'
import { PASSWORD, testApp } from '../test/app.ts'
import { assertRefused } from '../test/auth-links.ts'
import { holdLocks, waitForLockWaits } from '../test/locks.ts'
import { ageSessions } from '../test/sessions.ts'
import { grantAdmin, revokeAdmin } from './admin-role.ts'

const app = await testApp()
after(() => app.close())

const NEXT = 'Another-horse-8'
const signIn = (email: string, password: string) =>
  app.visitor.post('/auth/v1/token?grant_type=password', { email, password })

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

test('concurrent changes of different keys are all kept, and data that merging makes too large is refused', async () => {
  const person = await app.user()
  const set = (data: object) => person.put('/auth/v1/user', { data })
  await Promise.all([1, 2, 3, 4, 5].map((n) => set({ [`key${n}`]: n })))
  const { key1, key2, key3, key4, key5 } = (await person.get('/auth/v1/user')).body.user_metadata
  assert.deepEqual([key1, key2, key3, key4, key5], [1, 2, 3, 4, 5])
  assert.equal((await set({ a: 'x'.repeat(3000) })).status, 200)
  assertRefused(await set({ b: 'x'.repeat(3000) }), 400, 'validation_failed')
})

test('two admins cannot revoke each other at the same moment', async () => {
  const [one, other] = [await app.user(), await app.user()]
  for (const { email } of [one, other]) await grantAdmin(app.db, email)
  const outcomes = await Promise.all([one, other].map(({ email }) => revokeAdmin(app.db, email)))
  assert.deepEqual(outcomes.sort(), ['last_admin', 'revoked'])
})

test('a new password needs the current one unless somebody signed in within 15 minutes; one that is given has to be right', async () => {
  const person = await app.user()
  await ageSessions(app, person, FRESH_SESSION_S - 30)
  const change = (password: string, current_password?: string) =>
    person.put('/auth/v1/user', { password, current_password })
  assertRefused(await change(NEXT, 'Wrong-horse-7'), 400, 'current_password_invalid')
  assertRefused(await change(PASSWORD), 422, 'same_password')
  assert.equal((await change(NEXT)).status, 200)
  assertRefused(await signIn(person.email, PASSWORD), 400, 'invalid_credentials')

  await ageSessions(app, person, FRESH_SESSION_S + 5)
  // refreshing a session does not make it a fresh one
  const refresh = { refresh_token: person.refreshToken }
  const refreshed = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', refresh)
  const renewed = app.withToken(refreshed.body.access_token)
  assertRefused(await renewed.put('/auth/v1/user', { password: PASSWORD }), 400, 'current_password_required')
  assertRefused(await change(PASSWORD, 'Wrong-horse-7'), 400, 'current_password_invalid')
  const elsewhere = await app.signIn(person.email, NEXT)
  const changed = await change('Third-horse-9', NEXT)
  assert.equal(changed.status, 200)
  assert.equal(changed.text.includes('argon2'), false)
  assert.equal((await person.get('/auth/v1/user')).status, 200)
  assertRefused(await elsewhere.get('/auth/v1/user'), 403, 'session_not_found')
  await app.signIn(person.email, 'Third-horse-9')
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
