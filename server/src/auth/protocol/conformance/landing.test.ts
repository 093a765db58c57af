import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { isAuthImplicitGrantRedirectError } from '@supabase/auth-js'
import { newEmail, PASSWORD, testApp } from '../../../test/app.ts'
import { authFailure, createAuthClient } from '../../../test/auth-client.ts'
import { openLink, waitForMailedLink } from '../../../test/auth-links.ts'
import { eventually } from '../../../test/eventually.ts'

// The page an emailed link leads to, with what the server really put into its address. auth-js reads `window.location`
// and nothing else of a browser; the end-to-end tests do the same with a whole one.

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

test('a link that fails does not end the session of the browser', async () => {
  const person = await app.user()
  const first = createAuthClient(app.url)
  await first.auth.signInWithPassword({ email: person.email, password: PASSWORD })
  const { response } = await openLink(app, new URL('http://platenote.test/auth/v1/verify?token=used&type=signup'))
  browser.window = { location: new URL(response.headers.get('location') ?? '') }
  browser.document = { visibilityState: 'visible' }
  const { auth } = createAuthClient(app.url, { detectSessionInUrl: true }, first)
  assert.equal(authFailure(await auth.initialize()).name, 'AuthImplicitGrantRedirectError')
  assert.equal((await auth.getUser()).data.user?.id, person.id)
  await auth.dispose()
})

test('a made-up address with invalid tokens signs nobody in', async () => {
  const fragment = 'access_token=a.b.c&refresh_token=x&expires_in=3600&token_type=bearer&type=signup'
  const { begun, items } = await landOn(`http://platenote.test/verify-email#${fragment}`)
  assert.deepEqual(authFailure(begun), { name: 'AuthApiError', status: 403, code: 'bad_jwt' })
  assert.equal(items.size, 0)
})

// --- PKCE is not offered
