import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { AuthWeakPasswordError, isAuthRefreshDiscardedError } from '@supabase/auth-js'
import { PASSWORD, testApp } from '../../../test/app.ts'
import { authFailure, createAuthClient, nowS, signInClient } from '../../../test/auth-client.ts'
import { eventually } from '../../../test/eventually.ts'
import { startFaultyProxy } from '../../../test/faulty-proxy.ts'
import { encodeJwtPart } from '../../../test/jwt.ts'

// How auth-js reports every kind of failure: its error classes, against the server and through a proxy that fails.

const app = await testApp()
after(() => app.close())
const proxy = await startFaultyProxy(app.url)
after(() => proxy.close())
beforeEach(() => {
  proxy.seen.length = 0
  proxy.answered.length = 0
})

const NOBODY = { email: 'nobody@example.com', password: PASSWORD }
const SIGN_IN = '/auth/v1/token?grant_type=password'
const REFRESH = '/auth/v1/token?grant_type=refresh_token'

/** A client that signed in through the proxy, which then closes. */
async function signIn() {
  const client = await signInClient(app, proxy.url)
  proxy.seen.length = 0
  return client
}

// --- AuthApiError

test('AuthApiError has the server’s status, code and text', async () => {
  const response = await createAuthClient(proxy.url).auth.signInWithPassword(NOBODY)
  assert.deepEqual(authFailure(response), { name: 'AuthApiError', status: 400, code: 'invalid_credentials' })
  assert.equal(response.error?.message, 'Invalid login credentials')
})

test('AuthApiError says how long to wait for another email', async () => {
  const limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })
  const { auth } = createAuthClient(limited.url)
  for (let i = 0; i < 5; i++) assert.equal((await auth.resetPasswordForEmail(NOBODY.email)).error, null)
  const refused = await auth.resetPasswordForEmail(NOBODY.email)
  await limited.close()
  assert.deepEqual(authFailure(refused), { name: 'AuthApiError', status: 429, code: 'over_email_send_rate_limit' })
  assert.match(refused.error?.message ?? '', /^For security purposes, you can only request this after \d+ seconds\.$/)
})

test('more passwords than the server can verify at once are refused with a rate limit, not as a server error', async () => {
  const slow = await testApp({ sibling: app, settings: { NODE_ENV: 'development' } }) // hashes as everywhere but in tests
  after(() => slow.close())
  const { auth } = createAuthClient(slow.url)
  const responses = await Promise.all(Array.from({ length: 100 }, () => auth.signInWithPassword(NOBODY)))
  const codes = new Set(responses.map((response) => authFailure(response).code))
  assert.deepEqual([...codes].sort(), ['invalid_credentials', 'over_request_rate_limit'])
  assert.ok(responses.every((response) => authFailure(response).name === 'AuthApiError'))
})

test('throwOnError throws the same errors', async () => {
  const { auth } = createAuthClient(proxy.url, { throwOnError: true })
  await assert.rejects(auth.signInWithPassword(NOBODY), { name: 'AuthApiError', code: 'invalid_credentials' })
})

// --- AuthWeakPasswordError

for (const [password, reasons] of [
  ['abc', ['length', 'characters']],
  ['Ab1-', ['length']],
  ['longenough', ['characters']],
  ['Längenough1', ['characters']],
] as const) {
  test(`AuthWeakPasswordError names what ${password} lacks: ${reasons.join(', ')}`, async () => {
    const { error } = await createAuthClient(proxy.url).auth.signUp({ email: 'weak@example.com', password })
    assert.ok(error instanceof AuthWeakPasswordError)
    assert.deepEqual([error.status, error.code, error.reasons], [422, 'weak_password', reasons])
    assert.match(error.message, /^Password must be at least 8 characters/)
  })
}

test('AuthWeakPasswordError comes from updateUser too, and the old password stays', async () => {
  const { auth, person } = await signIn()
  for (const password of ['', 'abcdefgh']) {
    const { error } = await auth.updateUser({ password, current_password: PASSWORD })
    assert.ok(error instanceof AuthWeakPasswordError)
    assert.ok(error.reasons.includes('characters'))
  }
  await app.signIn(person.email, PASSWORD)
})

// --- AuthUnknownError

for (const status of [400, 403, 404, 413, 429]) {
  test(`AuthUnknownError: a proxy responds ${status} with a page`, async () => {
    proxy.next(SIGN_IN, { status, body: '<html>no</html>' })
    const { name } = authFailure(await createAuthClient(proxy.url).auth.signInWithPassword(NOBODY))
    assert.equal(name, 'AuthUnknownError')
  })
}

// --- AuthRetryableFetchError

for (const status of [500, 501, 502, 503, 504, 520, 530]) {
  test(`AuthRetryableFetchError: a proxy responds ${status} with a page`, async () => {
    proxy.next(SIGN_IN, { status, body: '<html>away</html>' })
    const response = await createAuthClient(proxy.url).auth.signInWithPassword(NOBODY)
    assert.deepEqual(authFailure(response), { name: 'AuthRetryableFetchError', status, code: undefined })
  })
}

test('AuthRetryableFetchError: a proxy responds 503 as JSON', async () => {
  proxy.next(SIGN_IN, { status: 503, type: 'application/json', body: '{"message":"upstream is away"}' })
  const response = await createAuthClient(proxy.url).auth.signInWithPassword(NOBODY)
  assert.deepEqual(authFailure(response), { name: 'AuthRetryableFetchError', status: 503, code: undefined })
  assert.equal(response.error?.message, 'upstream is away')
})

test('AuthRetryableFetchError: the connection is cut', async () => {
  proxy.next(SIGN_IN, 'cut')
  const response = await createAuthClient(proxy.url).auth.signInWithPassword(NOBODY)
  assert.deepEqual(authFailure(response), { name: 'AuthRetryableFetchError', status: 0, code: undefined })
})

test('AuthRetryableFetchError: nothing listens on the port', async () => {
  const closed = await startFaultyProxy(app.url)
  await closed.close()
  const response = await createAuthClient(closed.url).auth.signUp(NOBODY)
  assert.deepEqual(authFailure(response), { name: 'AuthRetryableFetchError', status: 0, code: undefined })
})

test('AuthRetryableFetchError: the server’s database is unavailable', async () => {
  const away = await testApp({ sibling: app })
  await away.db.end()
  const response = await createAuthClient(away.url).auth.signInWithPassword(NOBODY)
  assert.deepEqual(authFailure(response), { name: 'AuthRetryableFetchError', status: 503, code: undefined })
  assert.equal(response.error?.message, 'Unexpected failure, please try again later')
  await away.close()
})

test('a network failure keeps the session, and a refresh recovers from it by itself', async () => {
  const { auth, items, store } = await signIn()
  proxy.next('/auth/v1/user', { status: 502 })
  assert.equal(authFailure(await auth.getUser()).name, 'AuthRetryableFetchError')
  assert.equal(items.size, 1)
  store({ expires_at: nowS() - 10 })
  proxy.next(REFRESH, { status: 502 })
  proxy.next(REFRESH, 'cut')
  const { data, error } = await auth.getSession()
  assert.equal(error, null)
  assert.ok(data.session)
  assert.equal(proxy.seen.filter((call) => call.endsWith(REFRESH)).length, 3)
})

// --- AuthSessionMissingError

const CALLS_WITHOUT_SESSION = {
  getUser: (auth) => auth.getUser(),
  updateUser: (auth) => auth.updateUser({ data: {} }),
  refreshSession: (auth) => auth.refreshSession(),
  setSession: (auth) => auth.setSession({ access_token: '', refresh_token: '' }),
  reauthenticate: (auth) => auth.reauthenticate(),
  getUserIdentities: (auth) => auth.getUserIdentities(),
} satisfies Record<string, (auth: ReturnType<typeof createAuthClient>['auth']) => Promise<{ error: unknown }>>

for (const [name, call] of Object.entries(CALLS_WITHOUT_SESSION)) {
  test(`AuthSessionMissingError: ${name} without a session sends no request`, async () => {
    const response = authFailure(await call(createAuthClient(proxy.url).auth))
    assert.deepEqual(response, { name: 'AuthSessionMissingError', status: 400, code: undefined })
    assert.deepEqual(proxy.seen, [])
  })
}

test('AuthSessionMissingError: a session ended elsewhere is dropped, and SIGNED_OUT is emitted', async () => {
  const { auth, events, items, person } = await signIn()
  await person.post('/auth/v1/logout')
  const response = await auth.getUser()
  assert.deepEqual(authFailure(response), { name: 'AuthSessionMissingError', status: 400, code: undefined })
  assert.equal(response.error?.message, 'Auth session missing!')
  assert.deepEqual([items.size, events.at(-1)], [0, 'SIGNED_OUT'])
})

test('AuthSessionMissingError: updateUser with an ended session', async () => {
  const { auth, person } = await signIn()
  await person.post('/auth/v1/logout')
  assert.equal(authFailure(await auth.updateUser({ data: { full_name: 'x' } })).name, 'AuthSessionMissingError')
})

test('a banned or deleted account is not reported as a missing session', async () => {
  const { auth, person } = await signIn()
  await app.db`update auth.users set banned_until = now() + interval '1 day' where id = ${person.id}`
  assert.deepEqual(authFailure(await auth.getUser()), { name: 'AuthApiError', status: 403, code: 'user_banned' })
  await app.db`delete from auth.users where id = ${person.id}`
  assert.deepEqual(authFailure(await auth.getUser()), { name: 'AuthApiError', status: 403, code: 'user_not_found' })
})

// --- errors that the client raises itself

test('AuthInvalidTokenResponseError: the response to a sign-in has no session', async () => {
  proxy.next(SIGN_IN, { status: 200, type: 'application/json', body: '{}' })
  const response = await createAuthClient(proxy.url).auth.signInWithPassword(NOBODY)
  assert.deepEqual(authFailure(response), { name: 'AuthInvalidTokenResponseError', status: 500, code: undefined })
  assert.equal(response.error?.message, 'Auth session or user missing')
})

test('AuthInvalidCredentialsError: neither address nor phone', async () => {
  const { auth } = createAuthClient(proxy.url)
  const without = { password: PASSWORD } as never
  for (const response of [await auth.signUp(without), await auth.signInWithPassword(without)]) {
    assert.deepEqual(authFailure(response), { name: 'AuthInvalidCredentialsError', status: 400, code: undefined })
    assert.equal(response.error?.message, 'You must provide either an email or phone number and a password')
  }
  assert.equal(authFailure(await auth.signInWithOtp({} as never)).name, 'AuthInvalidCredentialsError')
  assert.equal(authFailure(await auth.resend({ type: 'signup' } as never)).name, 'AuthInvalidCredentialsError')
  assert.deepEqual(proxy.seen, [])
})

test('AuthInvalidJwtError: a malformed token is not sent', async () => {
  const { auth } = createAuthClient(proxy.url)
  const invalid = { name: 'AuthInvalidJwtError', status: 400, code: 'invalid_jwt' }
  for (const text of ['x', 'a.b', 'a.b.c.d', 'ä.ö.ü']) {
    assert.deepEqual(authFailure(await auth.setSession({ access_token: text, refresh_token: 'x' })), invalid)
    assert.deepEqual(authFailure(await auth.getClaims(text)), invalid)
  }
  assert.deepEqual(proxy.seen, [])
})

test('AuthInvalidJwtError: getClaims of an expired token', async () => {
  const claims = encodeJwtPart({ sub: 'x', exp: nowS() - 1 })
  const header = encodeJwtPart({ alg: 'HS256', typ: 'JWT' })
  const response = await createAuthClient(proxy.url).auth.getClaims(`${header}.${claims}.c2ln`)
  assert.equal(authFailure(response).name, 'AuthInvalidJwtError')
  assert.equal(response.error?.message, 'JWT has expired')
})

test('getClaims of a token signed with an unpublished key is refused by the server', async () => {
  const { auth, person } = await signIn()
  const claims = { sub: person.id, role: 'service_role', exp: nowS() + 3600 }
  const forged = `${encodeJwtPart({ alg: 'ES256', typ: 'JWT', kid: 'x' })}.${encodeJwtPart(claims)}.${'A'.repeat(86)}`
  assert.deepEqual(authFailure(await auth.getClaims(forged)), { name: 'AuthApiError', status: 403, code: 'bad_jwt' })
})

test('AuthRefreshDiscardedError: signing out while a refresh is under way stays signed out', async () => {
  const { auth, items, events } = await signIn()
  const signedOut = Promise.withResolvers<void>()
  proxy.next(REFRESH, { until: signedOut.promise })
  const refreshing = auth.refreshSession()
  await eventually(async () => (proxy.answered.some((call) => call.endsWith(REFRESH)) ? true : undefined))
  assert.equal((await auth.signOut()).error, null)
  signedOut.resolve()
  const response = await refreshing
  assert.deepEqual(authFailure(response), { name: 'AuthRefreshDiscardedError', status: 409, code: undefined })
  assert.ok(isAuthRefreshDiscardedError(response.error))
  assert.deepEqual([items.size, events.filter((event) => event === 'SIGNED_OUT').length], [0, 1])
})
