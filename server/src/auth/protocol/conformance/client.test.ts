import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { hashSync } from '@node-rs/argon2'
import { AuthWeakPasswordError, GoTrueAdminApi } from '@supabase/auth-js'
import { newEmail, PASSWORD, SERVICE_ROLE_KEY, testApp } from '../../../test/app.ts'
import { authFailure, createAuthClient, signInClient } from '../../../test/auth-client.ts'
import { waitForMailedLink } from '../../../test/auth-links.ts'
import { decodeClaims } from '../../../test/jwt.ts'

// auth-js as it is published, as far as it needs something of the server: what it does by itself is its own to test.

const app = await testApp({ settings: { SERVICE_ROLE_KEY } })
after(() => app.close())
/** As in production, where an address has to be confirmed. */
const confirming = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' }, sibling: app })
after(() => confirming.close())

const NEXT = 'Another-horse-8'

/** Returns the token of a link that was just requested. */
const waitForToken = async (email: string, least = 1) =>
  (await waitForMailedLink(app, email, least)).searchParams.get('token') ?? assert.fail('the link has a token')

// --- signUp

test('signUp returns a user but no session until the address is confirmed', async () => {
  const { auth, events, items } = createAuthClient(confirming.url)
  const email = newEmail()
  const { data, error } = await auth.signUp({ email, password: PASSWORD, options: { data: { full_name: 'Jo' } } })
  assert.equal(error, null)
  assert.equal(data.session, null)
  assert.deepEqual([data.user?.email, data.user?.user_metadata['full_name']], [email, 'Jo'])
  assert.equal(data.user?.email_confirmed_at, undefined)
  assert.deepEqual([items.size, events.includes('SIGNED_IN')], [0, false])
})

test('signUp returns a session and emits SIGNED_IN where addresses are confirmed automatically', async () => {
  const { auth, events, stored } = createAuthClient(app.url)
  const { data, error } = await auth.signUp({ email: newEmail(), password: PASSWORD })
  assert.equal(error, null)
  assert.ok(data.session && data.user?.email_confirmed_at)
  assert.equal(stored()?.access_token, data.session.access_token)
  assert.deepEqual(events, ['INITIAL_SESSION', 'SIGNED_IN'])
})

test('signUp of a client with PKCE gets the same response and an ordinary link', async () => {
  const { auth } = createAuthClient(confirming.url, { flowType: 'pkce' })
  const email = newEmail()
  assert.equal((await auth.signUp({ email, password: PASSWORD })).error, null)
  const verified = await createAuthClient(app.url).auth.verifyOtp({
    type: 'signup',
    token_hash: await waitForToken(email),
  })
  assert.equal(verified.data.user?.email, email)
})

// --- signInWithPassword

test('signInWithPassword stores the session and emits SIGNED_IN', async () => {
  const { events, stored, person } = await signInClient(app)
  assert.equal(stored()?.user.id, person.id)
  assert.equal(stored()?.token_type, 'bearer')
  assert.deepEqual(events, ['INITIAL_SESSION', 'SIGNED_IN'])
})

test('signInWithPassword with a password weaker than today’s rules works and names the rules', async () => {
  const person = await app.user()
  const hash = hashSync('abc', { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  await app.db`update auth.users set encrypted_password = ${hash} where id = ${person.id}`
  const weak = await createAuthClient(app.url).auth.signInWithPassword({ email: person.email, password: 'abc' })
  assert.equal(weak.error, null)
  assert.deepEqual(weak.data.weakPassword ?? (weak.data as { weak_password?: unknown }).weak_password, {
    message: 'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.',
    reasons: ['length', 'characters'],
  })
  const wrong = await createAuthClient(app.url).auth.signInWithPassword({ email: person.email, password: 'ab' })
  assert.equal(authFailure(wrong).code, 'invalid_credentials')
})

// --- links

test('signInWithOtp does not reveal accounts, and verifyOtp exchanges the link for a session', async () => {
  const person = await app.user()
  const { auth, events } = createAuthClient(app.url)
  for (const email of [person.email, newEmail()]) {
    const requested = await auth.signInWithOtp({ email, options: { shouldCreateUser: false } })
    assert.deepEqual(requested, { data: { user: null, session: null }, error: null })
  }
  const { data, error } = await auth.verifyOtp({ type: 'magiclink', token_hash: await waitForToken(person.email) })
  assert.equal(error, null)
  assert.equal(data.user?.id, person.id)
  assert.deepEqual(events, ['INITIAL_SESSION', 'SIGNED_IN'])
  const { data: level } = await auth.mfa.getAuthenticatorAssuranceLevel()
  assert.partialDeepStrictEqual(level?.currentAuthenticationMethods, [{ method: 'otp' }])
})

test('resetPasswordForEmail and verifyOtp allow a new password without the old one', async () => {
  const person = await app.user()
  const { auth, events } = createAuthClient(app.url)
  for (const email of [person.email, newEmail()]) {
    assert.deepEqual(await auth.resetPasswordForEmail(email), { data: {}, error: null })
  }
  const opened = await auth.verifyOtp({ type: 'recovery', token_hash: await waitForToken(person.email) })
  assert.equal(opened.error, null)
  assert.deepEqual(events, ['INITIAL_SESSION', 'PASSWORD_RECOVERY'])
  assert.equal((await auth.updateUser({ password: NEXT })).error, null)
  await app.signIn(person.email, NEXT)
})

// --- the account

test('getUserIdentities returns the one identity of the address', async () => {
  const { auth, person } = await signInClient(app)
  const { data, error } = await auth.getUserIdentities()
  assert.equal(error, null)
  assert.deepEqual(
    data?.identities.map(({ id, provider, identity_data }) => [id, provider, identity_data?.['email']]),
    [[person.id, 'email', person.email]],
  )
})

test('updateUser with data changes the stored user too, and emits USER_UPDATED', async () => {
  const { auth, events, stored } = await signInClient(app)
  const { data, error } = await auth.updateUser({ data: { full_name: 'New', theme: { dark: true } } })
  assert.equal(error, null)
  assert.equal(data.user?.user_metadata['full_name'], 'New')
  assert.deepEqual(stored()?.user.user_metadata['theme'], { dark: true })
  assert.equal(events.at(-1), 'USER_UPDATED')
})

// --- admin

test('admin.getUserById and admin.deleteUser work with the service key only', async () => {
  const { auth, person } = await signInClient(app)
  const refused = await auth.admin.getUserById(person.id)
  assert.deepEqual(authFailure(refused), { name: 'AuthApiError', status: 403, code: 'bad_jwt' })
  const admin = new GoTrueAdminApi({
    url: `${app.url}/auth/v1`,
    headers: { Authorization: `Bearer ${SERVICE_ROLE_KEY}` },
  })
  assert.equal((await admin.getUserById(person.id)).data.user?.email, person.email)
  const deleted = await admin.deleteUser(person.id)
  assert.deepEqual([deleted.error, deleted.data.user?.id], [null, person.id])
  assert.deepEqual(authFailure(await auth.getUser()), { name: 'AuthApiError', status: 403, code: 'user_not_found' })
  const again = await admin.deleteUser(person.id)
  assert.deepEqual(authFailure(again), { name: 'AuthApiError', status: 404, code: 'user_not_found' })
  assert.deepEqual(authFailure(await admin.deleteUser(randomUUID(), true)).status, 404)
})

// --- the session

test('refreshSession returns new tokens of the same session, with the same beginning', async () => {
  const { auth, events, stored } = await signInClient(app)
  const before = stored() ?? assert.fail()
  const { data, error } = await auth.refreshSession()
  assert.equal(error, null)
  assert.notEqual(data.session?.refresh_token, before.refresh_token)
  const [old, now] = [decodeClaims(before.access_token), decodeClaims(data.session?.access_token ?? '')]
  assert.deepEqual([now.session_id, now.amr], [old.session_id, old.amr])
  assert.equal(stored()?.refresh_token, data.session?.refresh_token)
  assert.equal(events.at(-1), 'TOKEN_REFRESHED')
})

test('setSession takes over valid tokens after requesting their user', async () => {
  const person = await app.user()
  const { auth, events, stored } = createAuthClient(app.url)
  const tokens = { access_token: person.token, refresh_token: person.refreshToken }
  const { data, error } = await auth.setSession(tokens)
  assert.equal(error, null)
  assert.equal(data.user?.id, person.id)
  assert.equal(stored()?.refresh_token, person.refreshToken)
  assert.ok(events.includes('SIGNED_IN'))
})

test('getClaims accepts a token after requesting its user, because the signing key is secret', async () => {
  const { auth, person } = await signInClient(app)
  const { data, error } = await auth.getClaims()
  assert.equal(error, null)
  assert.deepEqual([data?.claims.sub, data?.claims.role, data?.header.alg], [person.id, 'authenticated', 'HS256'])
})

test('mfa returns no factors and the first level', async () => {
  const { auth } = await signInClient(app)
  const factors = await auth.mfa.listFactors()
  assert.deepEqual([factors.error, factors.data?.all], [null, []])
  const { data } = await auth.mfa.getAuthenticatorAssuranceLevel()
  assert.deepEqual([data?.currentLevel, data?.nextLevel], ['aal1', 'aal1'])
  assert.partialDeepStrictEqual(data?.currentAuthenticationMethods, [{ method: 'password' }])
})

test('signOut ends every session of the person', async () => {
  const { auth, events, items, person } = await signInClient(app)
  assert.equal((await auth.signOut()).error, null)
  assert.deepEqual([items.size, events.at(-1)], [0, 'SIGNED_OUT'])
  assert.equal((await person.get('/auth/v1/user')).body.error_code, 'session_not_found')
})

test('signOut works when the session was ended elsewhere, or the account is gone', async () => {
  for (const end of [
    (id: string) => app.db`delete from auth.sessions where user_id = ${id}`,
    (id: string) => app.db`delete from auth.users where id = ${id}`,
  ]) {
    const { auth, items, person } = await signInClient(app)
    await end(person.id)
    assert.equal((await auth.signOut()).error, null)
    assert.equal(items.size, 0)
  }
})

// --- errors

test('more passwords than the server can verify at once are refused with a rate limit, not as a server error', async () => {
  const slow = await testApp({ sibling: app, settings: { NODE_ENV: 'development' } }) // hashes as everywhere but in tests
  after(() => slow.close())
  const { auth } = createAuthClient(slow.url)
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => auth.signInWithPassword({ email: newEmail(), password: PASSWORD })),
  )
  const codes = new Set(responses.map((response) => authFailure(response).code))
  assert.deepEqual([...codes].sort(), ['invalid_credentials', 'over_request_rate_limit'])
  assert.ok(responses.every((response) => authFailure(response).name === 'AuthApiError'))
})

for (const [password, reasons] of [
  ['abc', ['length', 'characters']],
  ['Ab1-', ['length']],
  ['longenough', ['characters']],
  ['Längenough1', ['characters']],
] as const) {
  test(`AuthWeakPasswordError names what ${password} lacks: ${reasons.join(', ')}`, async () => {
    const { error } = await createAuthClient(app.url).auth.signUp({ email: 'weak@example.com', password })
    assert.ok(error instanceof AuthWeakPasswordError)
    assert.deepEqual([error.status, error.code, error.reasons], [422, 'weak_password', reasons])
    assert.match(error.message, /^Password must be at least 8 characters/)
  })
}
