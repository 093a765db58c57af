import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { hashSync } from '@node-rs/argon2'
import { isAuthImplicitGrantRedirectError } from '@supabase/auth-js'
import { newEmail, PASSWORD, testApp } from '../../../test/app.ts'
import { authFailure, createAuthClient } from '../../../test/auth-client.ts'
import { openLink, waitForMailedLink } from '../../../test/auth-links.ts'
import { eventually } from '../../../test/eventually.ts'

// auth-js as it is published, as far as it needs something of the server: what it does by itself is its own to test, and the
// walk (requirements §7) calls it as the web app does. Of a browser it reads `window.location` and nothing else.

const app = await testApp()
after(() => app.close())
/** As in production, where an address has to be confirmed. */
const confirming = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' }, sibling: app })
after(() => confirming.close())

const browser = globalThis as { window?: unknown; document?: unknown }
/** Clients made from now on are on no page; on one they would hold a channel to other tabs open. */
const leavePage = () => {
  delete browser.window
  delete browser.document
}
afterEach(leavePage)

type Options = Parameters<typeof createAuthClient>[1]

/** Starts a client on a page, as after a redirect. */
async function landOn(address: string, options: Options = {}) {
  const location = new URL(address)
  browser.window = { location }
  browser.document = { visibilityState: 'visible' }
  const client = createAuthClient(app.url, { detectSessionInUrl: true, ...options })
  const begun = await client.auth.initialize()
  await client.auth.dispose()
  return { ...client, begun, location }
}

async function followLink(path: string, body: Record<string, unknown> = {}) {
  const person = await app.user()
  await app.visitor.post(path, { email: person.email, ...body })
  const { response } = await openLink(app, await waitForMailedLink(app, person.email))
  return { person, address: response.headers.get('location') ?? assert.fail('the link leads somewhere') }
}

test('a recovery link signs in on its page, emits PASSWORD_RECOVERY, and its tokens are removed from the address', async () => {
  const { person, address } = await followLink('/auth/v1/recover')
  const location = new URL(address)
  browser.window = { location }
  browser.document = { visibilityState: 'visible' }
  const { auth, events, stored } = createAuthClient(app.url, { detectSessionInUrl: true })
  assert.deepEqual(await auth.initialize(), { error: null })
  await eventually(async () => (events.includes('PASSWORD_RECOVERY') ? true : undefined))
  await auth.dispose()
  assert.equal(stored()?.user.id, person.id)
  assert.equal(typeof stored()?.expires_at, 'number')
  assert.equal(location.href, 'http://platenote.test/reset-password')
})

test('a client that lands with a sign-up link sees an unconfirmed account until it first writes or refreshes', async () => {
  for (const use of ['refreshSession', 'updateUser'] as const) {
    const email = newEmail()
    const proof = { signup_proof: createHash('sha256').update(email).digest('hex') }
    await confirming.visitor.post('/auth/v1/signup', { email, password: PASSWORD, data: { full_name: 'Jo', ...proof } })
    const link = await waitForMailedLink(app, email)
    // a scanner that runs scripts does as much
    const address = async () => (await openLink(app, link)).response.headers.get('location') ?? ''
    assert.equal((await landOn(await address())).begun.error, null)
    leavePage()

    const fragment = new URLSearchParams((await address()).split('#')[1])
    const [access_token, refresh_token] = [fragment.get('access_token') ?? '', fragment.get('refresh_token') ?? '']
    const { auth, stored } = createAuthClient(app.url)
    assert.equal((await auth.setSession({ access_token, refresh_token })).error, null)
    assert.equal((await auth.getUser()).data.user?.email_confirmed_at, undefined)
    const used = use === 'updateUser' ? await auth.updateUser({}) : await auth.refreshSession()
    assert.equal(used.error, null)
    assert.ok(used.data.user?.email_confirmed_at)
    assert.equal(used.data.user?.user_metadata['full_name'], 'Jo')
    const early = await createAuthClient(app.url).auth.signInWithPassword({ email, password: PASSWORD })
    assert.equal(authFailure(early).code, 'invalid_credentials')

    const session = app.withToken(stored()?.access_token ?? '')
    assert.equal((await session.post('/auth/v1/signup/password', { secret: email })).status, 204)
    assert.equal((await createAuthClient(app.url).auth.signInWithPassword({ email, password: PASSWORD })).error, null)
  }
})

test('AuthImplicitGrantRedirectError: a consumed link says so, with its code', async () => {
  const { response } = await openLink(app, new URL('http://platenote.test/auth/v1/verify?token=used&type=recovery'))
  const { begun, items } = await landOn(response.headers.get('location') ?? '')
  assert.deepEqual(authFailure(begun), { name: 'AuthImplicitGrantRedirectError', status: 500, code: undefined })
  assert.ok(isAuthImplicitGrantRedirectError(begun.error))
  assert.equal(begun.error.message, 'Email link is invalid or has expired')
  assert.deepEqual(begun.error.details, { error: 'access_denied', code: 'otp_expired' })
  assert.equal(items.size, 0)
})

test('signUp of a client with PKCE gets the same response and an ordinary link', async () => {
  const { auth } = createAuthClient(confirming.url, { flowType: 'pkce' })
  const email = newEmail()
  assert.equal((await auth.signUp({ email, password: PASSWORD })).error, null)
  const token_hash = (await waitForMailedLink(app, email)).searchParams.get('token') ?? ''
  const verified = await createAuthClient(app.url).auth.verifyOtp({ type: 'signup', token_hash })
  assert.equal(verified.data.user?.email, email)
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
