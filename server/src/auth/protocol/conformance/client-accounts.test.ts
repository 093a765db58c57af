import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { hashSync } from '@node-rs/argon2'
import { GoTrueAdminApi, type SignUpWithPasswordCredentials } from '@supabase/auth-js'
import { newEmail, PASSWORD, SERVICE_ROLE_KEY, testApp } from '../../../test/app.ts'
import { authFailure, createAuthClient, signInClient } from '../../../test/auth-client.ts'
import { waitForMailedLink } from '../../../test/auth-links.ts'

// auth-js as it is published: signing up, signing in, links, and changing an account.

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

test('signUp with a known address fails where addresses are confirmed automatically', async () => {
  const { person, auth } = await signInClient(app)
  const response = await auth.signUp({ email: person.email, password: PASSWORD })
  assert.deepEqual(authFailure(response), { name: 'AuthApiError', status: 422, code: 'user_already_exists' })
  assert.equal(response.error?.message, 'User already registered')
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

for (const [what, credentials, status, code] of [
  ['a phone number', { phone: '+15145550100', password: PASSWORD }, 400, 'validation_failed'],
  ['an invalid address', { email: 'nobody', password: PASSWORD }, 400, 'validation_failed'],
  ['an empty password', { email: 'a@example.com', password: '' }, 400, 'validation_failed'],
] as [string, SignUpWithPasswordCredentials, number, string][]) {
  test(`signUp with ${what} fails as an API error`, async () => {
    assert.deepEqual(authFailure(await createAuthClient(app.url).auth.signUp(credentials)), {
      name: 'AuthApiError',
      status,
      code,
    })
  })
}

test('signInAnonymously is refused', async () => {
  const response = await createAuthClient(app.url).auth.signInAnonymously()
  assert.deepEqual(authFailure(response), { name: 'AuthApiError', status: 422, code: 'anonymous_provider_disabled' })
  assert.equal(response.error?.message, 'Anonymous sign-ins are disabled')
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

test('signInWithPassword with a strong password does not mention its strength', async () => {
  const person = await app.user()
  const { data } = await createAuthClient(app.url).auth.signInWithPassword({ email: person.email, password: PASSWORD })
  assert.equal(data.weakPassword, undefined)
  assert.equal('weak_password' in data, false)
})

test('signInWithPassword with an invalid address fails like any wrong credentials', async () => {
  for (const email of ['nobody', 'a@b', `${'a'.repeat(300)}@example.com`, 'a@example.com,b@example.com']) {
    const response = await createAuthClient(app.url).auth.signInWithPassword({ email, password: PASSWORD })
    assert.deepEqual(authFailure(response), { name: 'AuthApiError', status: 400, code: 'invalid_credentials' })
  }
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

test('signInWithOtp without options emails an unconfirmed account its sign-up link again', async () => {
  const email = newEmail()
  const { auth } = createAuthClient(confirming.url)
  await auth.signUp({ email, password: PASSWORD })
  await waitForToken(email)
  assert.deepEqual(await auth.signInWithOtp({ email }), { data: { user: null, session: null }, error: null })
  const opened = await auth.verifyOtp({ type: 'signup', token_hash: await waitForToken(email, 2) })
  assert.equal(opened.error, null)
  assert.equal(opened.data.user?.email, email)
})

test('signInWithOtp with a phone number is refused', async () => {
  const response = await createAuthClient(app.url).auth.signInWithOtp({ phone: '+15145550100' })
  assert.deepEqual(authFailure(response), { name: 'AuthApiError', status: 400, code: 'validation_failed' })
})

test('resend emails another sign-up link, and responds the same for any address', async () => {
  const email = newEmail()
  const { auth } = createAuthClient(confirming.url)
  await auth.signUp({ email, password: PASSWORD })
  const older = await waitForToken(email)
  for (const address of [email, (await app.user()).email, newEmail()]) {
    assert.deepEqual(await auth.resend({ type: 'signup', email: address }), {
      data: { user: null, session: null },
      error: null,
    })
  }
  const newer = await waitForToken(email, 2)
  assert.equal(authFailure(await auth.verifyOtp({ type: 'signup', token_hash: older })).code, 'otp_expired')
  assert.equal((await auth.verifyOtp({ type: 'signup', token_hash: newer })).error, null)
})

test('resend of an email change sends nothing, and to a phone number it is refused', async () => {
  const person = await app.user()
  const { auth } = createAuthClient(app.url)
  assert.equal((await auth.resend({ type: 'email_change', email: person.email })).error, null)
  const phone = await auth.resend({ type: 'sms', phone: '+15145550100' })
  assert.deepEqual(authFailure(phone), { name: 'AuthApiError', status: 400, code: 'validation_failed' })
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

test('verifyOtp accepts a link once', async () => {
  const person = await app.user()
  const { auth } = createAuthClient(app.url)
  await auth.resetPasswordForEmail(person.email)
  const token_hash = await waitForToken(person.email)
  assert.equal((await auth.verifyOtp({ type: 'recovery', token_hash })).error, null)
  const again = await auth.verifyOtp({ type: 'recovery', token_hash })
  assert.deepEqual(authFailure(again), { name: 'AuthApiError', status: 403, code: 'otp_expired' })
  assert.equal(again.error?.message, 'Email link is invalid or has expired')
})

test('verifyOtp with a typed code fails, as there are none', async () => {
  const { auth } = createAuthClient(app.url)
  const response = await auth.verifyOtp({ type: 'email', token: '123456', email: (await app.user()).email })
  assert.deepEqual(authFailure(response), { name: 'AuthApiError', status: 403, code: 'otp_expired' })
  assert.equal(response.error?.message, 'Token has expired or is invalid')
})

// --- the account

test('getUser(jwt) needs no stored session', async () => {
  const person = await app.user()
  const { data, error } = await createAuthClient(app.url).auth.getUser(person.token)
  assert.equal(error, null)
  assert.equal(data.user?.id, person.id)
})

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

test('updateUser sets another password right after signInWithPassword', async () => {
  const { auth, person } = await signInClient(app)
  assert.equal((await auth.updateUser({ password: NEXT })).error, null)
  assert.equal((await auth.getUser()).error, null)
  await app.signIn(person.email, NEXT)
})

test('updateUser with a password later requires the current one, and ends the session of another device', async () => {
  const { auth, person } = await signInClient(app)
  await app.db`
    update auth.sessions set amr = jsonb_set(amr, '{0,timestamp}', to_jsonb(extract(epoch from now())::int - 901))
    where user_id = ${person.id}`
  const there = createAuthClient(app.url)
  await there.auth.signInWithPassword({ email: person.email, password: PASSWORD })
  for (const [change, status, code] of [
    [{ password: NEXT }, 400, 'current_password_required'],
    [{ password: NEXT, current_password: 'Wrong-horse-7' }, 400, 'current_password_invalid'],
    [{ password: PASSWORD, current_password: PASSWORD }, 422, 'same_password'],
    [{ email: newEmail() }, 400, 'validation_failed'],
  ] as const) {
    assert.deepEqual(authFailure(await auth.updateUser(change)), { name: 'AuthApiError', status, code })
  }
  assert.equal((await there.auth.getUser()).error, null)
  assert.equal((await auth.updateUser({ password: NEXT, current_password: PASSWORD })).error, null)
  assert.equal((await auth.getUser()).error, null)
  assert.equal(authFailure(await there.auth.getUser()).name, 'AuthSessionMissingError')
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

test('admin.signOut ends sessions as its scope says', async () => {
  const { admin } = createAuthClient(app.url).auth
  const first = await app.user()
  const [second, third] = [await app.signIn(first.email, PASSWORD), await app.signIn(first.email, PASSWORD)]
  const alive = async () =>
    Promise.all([first, second, third].map(async (p) => (await p.get('/auth/v1/user')).status === 200))
  assert.equal((await admin.signOut(second.token, 'local')).error, null)
  assert.deepEqual(await alive(), [true, false, true])
  assert.equal((await admin.signOut(third.token, 'others')).error, null)
  assert.deepEqual(await alive(), [false, false, true])
  assert.equal((await admin.signOut(third.token)).error, null)
  assert.deepEqual(await alive(), [false, false, false])
  assert.equal(authFailure(await admin.signOut(third.token)).name, 'AuthSessionMissingError')
})
