import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AuthApiError, AuthClient, AuthSessionMissingError, AuthWeakPasswordError } from '@supabase/auth-js'
import { PASSWORD, type TestApp, testApp } from '../../test/app.ts'
import { openLink, postLink, waitForMailedLink } from '../../test/auth-links.ts'

// The unmodified browser client against the server, with its session in memory.

const app = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' } })
after(() => app.close())
const autoConfirmed = await testApp()
after(() => autoConfirmed.close())

function createClient({ url }: TestApp) {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  const headers = { apikey: 'sb_publishable_key', Authorization: 'Bearer sb_publishable_key' }
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers,
    storage,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  })
  return { auth, stored }
}

/** Returns the status and code of a failed call. */
const statusAndCode = (error: unknown) => {
  assert.ok(error instanceof Error)
  const { status, code } = error as Error & { status?: number; code?: string }
  return { status, code }
}

test('a person signs up, confirms by the link, takes over its session and signs out', async () => {
  const { auth } = createClient(app)
  const email = 'end-to-end@example.com'
  const emailRedirectTo = 'http://platenote.test/fr/verify-email'
  const up = await auth.signUp({ email, password: PASSWORD, options: { data: { full_name: 'Jo' }, emailRedirectTo } })
  assert.equal(up.error, null)
  assert.equal(up.data.session, null)
  assert.equal(up.data.user?.identities?.length, 1)

  const early = await auth.signInWithPassword({ email, password: PASSWORD })
  assert.deepEqual(statusAndCode(early.error), { status: 400, code: 'email_not_confirmed' })

  const { page, fragment } = await openLink(app, await waitForMailedLink(app, email))
  assert.equal(page, emailRedirectTo)
  const { access_token = '', refresh_token = '' } = fragment
  const set = await auth.setSession({ access_token, refresh_token })
  assert.equal(set.error, null)
  assert.equal(set.data.user?.email, email)
  // a use of the session, not only a look, confirms the address
  assert.equal((await auth.refreshSession()).error, null)
  assert.equal((await auth.getUser()).data.user?.user_metadata['full_name'], 'Jo')

  const claims = await auth.getClaims()
  assert.equal(claims.data?.claims.sub, set.data.user?.id)
  assert.equal((await auth.signOut()).error, null)
  assert.equal((await auth.getSession()).data.session, null)
})

test('a second sign-up with a confirmed address is recognizable by its missing identities', async () => {
  const email = 'twice@example.com'
  await createClient(app).auth.signUp({ email, password: PASSWORD })
  await postLink(app, await waitForMailedLink(app, email))
  const { data, error } = await createClient(app).auth.signUp({ email, password: PASSWORD })
  assert.equal(error, null)
  assert.deepEqual(data.user?.identities, [])
  assert.equal(data.session, null)
})

test('"I have verified my email" signs in with the password once the link was used elsewhere', async () => {
  const email = 'elsewhere@example.com'
  await createClient(app).auth.signUp({ email, password: PASSWORD })
  await postLink(app, await waitForMailedLink(app, email))
  const { data, error } = await createClient(app).auth.signInWithPassword({ email, password: PASSWORD })
  assert.equal(error, null)
  assert.ok(data.session?.access_token)
})

test('"Resend verification email" emails another link', async () => {
  const email = 'resend@example.com'
  const { auth } = createClient(app)
  await auth.signUp({ email, password: PASSWORD })
  await app.mails(email)
  const emailRedirectTo = 'http://platenote.test/verify-email'
  const { error } = await auth.signInWithOtp({ email, options: { shouldCreateUser: false, emailRedirectTo } })
  assert.equal(error, null)
  const link = await waitForMailedLink(app, email, 2)
  assert.equal(link.searchParams.get('type'), 'signup')
  const verified = await auth.verifyOtp({ type: 'email', token_hash: link.searchParams.get('token')! })
  assert.equal(verified.error, null)
  assert.equal(verified.data.user?.email, email)
})

test('a forgotten password is replaced through the emailed link', async () => {
  const email = 'forgot@example.com'
  await createClient(app).auth.signUp({ email, password: PASSWORD })
  await postLink(app, await waitForMailedLink(app, email))
  const { auth } = createClient(app)
  const requested = await auth.resetPasswordForEmail(email, { redirectTo: 'http://platenote.test/reset-password' })
  assert.equal(requested.error, null)
  const { page, fragment } = await openLink(app, await waitForMailedLink(app, email, 2))
  assert.equal(page, 'http://platenote.test/reset-password')
  await auth.setSession({
    access_token: fragment['access_token'] ?? '',
    refresh_token: fragment['refresh_token'] ?? '',
  })
  assert.equal((await auth.updateUser({ password: 'Another-horse-8' })).error, null)
  assert.equal((await createClient(app).auth.signInWithPassword({ email, password: 'Another-horse-8' })).error, null)
})

test('errors arrive with their class, status and code', async () => {
  const { auth } = createClient(autoConfirmed)
  const weak = await auth.signUp({ email: 'weak@example.com', password: 'abc' })
  assert.ok(weak.error instanceof AuthWeakPasswordError)
  assert.deepEqual(weak.error.reasons, ['length', 'characters'])
  const wrong = await auth.signInWithPassword({ email: 'nobody@example.com', password: PASSWORD })
  assert.ok(wrong.error instanceof AuthApiError)
  assert.deepEqual(statusAndCode(wrong.error), { status: 400, code: 'invalid_credentials' })
  assert.equal(wrong.error.message, 'Invalid login credentials')
  const lost = await auth.refreshSession({ refresh_token: 'A'.repeat(43) })
  assert.deepEqual(statusAndCode(lost.error), { status: 400, code: 'refresh_token_not_found' })
})

test('a session ended elsewhere is dropped by the client', async () => {
  const email = 'ended@example.com'
  const { auth, stored } = createClient(autoConfirmed)
  await auth.signUp({ email, password: PASSWORD })
  assert.equal(stored.size, 1)
  const elsewhere = await autoConfirmed.signIn(email, PASSWORD)
  await elsewhere.post('/auth/v1/logout')
  const { data, error } = await auth.getUser()
  assert.ok(error instanceof AuthSessionMissingError)
  assert.equal(data.user, null)
  assert.equal(stored.size, 0)
})

test('refreshing in the client continues with the same person', async () => {
  const { auth } = createClient(autoConfirmed)
  const { data } = await auth.signUp({ email: 'refresh@example.com', password: PASSWORD })
  const refreshed = await auth.refreshSession()
  assert.equal(refreshed.error, null)
  assert.equal(refreshed.data.user?.id, data.user?.id)
  assert.notEqual(refreshed.data.session?.refresh_token, data.session?.refresh_token)
})

test('the name is changed in the client; the admin flag is not', async () => {
  const { auth } = createClient(autoConfirmed)
  await auth.signUp({
    email: 'name@example.com',
    password: PASSWORD,
    options: { data: { full_name: 'Old', is_admin: true } },
  })
  const { data, error } = await auth.updateUser({ data: { full_name: 'New', is_admin: true } })
  assert.equal(error, null)
  assert.equal(data.user?.user_metadata['full_name'], 'New')
  assert.equal(data.user?.user_metadata['is_admin'], undefined)
})

test('signing out only the other devices keeps this one signed in', async () => {
  const email = 'others@example.com'
  const [here, there] = [createClient(autoConfirmed).auth, createClient(autoConfirmed).auth]
  await here.signUp({ email, password: PASSWORD })
  await there.signInWithPassword({ email, password: PASSWORD })
  assert.equal((await here.signOut({ scope: 'others' })).error, null)
  assert.equal((await here.getUser()).error, null)
  assert.ok((await there.getUser()).error instanceof AuthSessionMissingError)
})
