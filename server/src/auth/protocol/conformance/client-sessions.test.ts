import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { testApp } from '../../../test/app.ts'
import { authFailure, createAuthClient, nowS, signInClient } from '../../../test/auth-client.ts'
import { eventually } from '../../../test/eventually.ts'
import { startFaultyProxy } from '../../../test/faulty-proxy.ts'
import { decodeClaims, encodeJwtPart } from '../../../test/jwt.ts'

// auth-js as it is published: what it stores of a session, when it refreshes it, and how it ends.

const app = await testApp()
after(() => app.close())
const proxy = await startFaultyProxy(app.url)
after(() => proxy.close())
beforeEach(() => {
  proxy.seen.length = 0
})

const REFRESH = 'POST /auth/v1/token?grant_type=refresh_token'
const refreshes = () => proxy.seen.filter((call) => call === REFRESH).length

/** A client that has signed in through the proxy; the proxy's log begins after that. */
async function signIn() {
  const client = await signInClient(app, proxy.url)
  proxy.seen.length = 0
  return client
}

/** Returns an expired copy of a token. Its signature is wrong, but only the client reads it. */
const expiredCopy = (token: string) => {
  const [header, , signature] = token.split('.')
  const claims = { ...decodeClaims(token), exp: nowS() - 10 }
  return `${header}.${encodeJwtPart(claims)}.${signature}`
}

// --- stored sessions

test('a client without a session begins with none', async () => {
  const { auth, events } = createAuthClient(proxy.url)
  assert.deepEqual(await auth.getSession(), { data: { session: null }, error: null })
  await eventually(async () => (events.length > 0 ? events : undefined))
  assert.deepEqual(events, ['INITIAL_SESSION'])
  assert.deepEqual(proxy.seen, [])
})

test('a client that finds a stored session begins with it, without a request', async () => {
  const first = await signIn()
  const next = createAuthClient(proxy.url, {}, first)
  const { data } = await next.auth.getSession()
  assert.equal(data.session?.user.id, first.person.id)
  await eventually(async () => (next.events.includes('INITIAL_SESSION') ? true : undefined))
  assert.deepEqual(proxy.seen, [])
})

test('getSession refreshes a session in its last 90 seconds, and not before', async () => {
  const { auth, events, store } = await signIn()
  store({ expires_at: nowS() + 100 })
  await auth.getSession()
  assert.equal(refreshes(), 0)
  store({ expires_at: nowS() + 80 })
  const { data, error } = await auth.getSession()
  assert.equal(error, null)
  assert.equal(refreshes(), 1)
  assert.ok(Math.abs((data.session?.expires_at ?? 0) - nowS() - 3600) < 60, 'in seconds, an hour from now')
  assert.equal(events.at(-1), 'TOKEN_REFRESHED')
})

// --- automatic refresh: checked every 30 seconds, due from 90 seconds (three checks) before the end

test('startAutoRefresh immediately refreshes a session near its end', async () => {
  const { auth, events, store } = await signIn()
  store({ expires_at: nowS() + 100 })
  await auth.startAutoRefresh()
  await eventually(async () => (events.includes('TOKEN_REFRESHED') ? true : undefined))
  await auth.stopAutoRefresh()
  assert.equal(refreshes(), 1)
})

test('startAutoRefresh does not refresh a session that has longer to live', async () => {
  const { auth, events, store } = await signIn()
  store({ expires_at: nowS() + 140 })
  await auth.startAutoRefresh()
  assert.equal((await auth.getUser()).error, null) // a whole round trip after the first check
  await auth.stopAutoRefresh()
  assert.equal(refreshes(), 0)
  assert.equal(events.includes('TOKEN_REFRESHED'), false)
})

test('stopAutoRefresh also stops what was just started', async () => {
  const { auth, store } = await signIn()
  store({ expires_at: nowS() + 100 })
  await auth.startAutoRefresh()
  await auth.stopAutoRefresh()
  assert.equal((await auth.getUser()).error, null)
  assert.equal(refreshes(), 0)
})

test('a client with automatic refresh refreshes a stored session near its end', async () => {
  const first = await signIn()
  const { store, stored } = first
  store({ expires_at: nowS() + 30 })
  const before = stored()?.refresh_token
  const next = createAuthClient(proxy.url, { autoRefreshToken: true }, first)
  await next.auth.initialize()
  await next.auth.dispose()
  assert.notEqual(stored()?.refresh_token, before)
  assert.equal(refreshes(), 1)
})

// --- refreshSession

test('refreshSession returns new tokens of the same session, with the same beginning', async () => {
  const { auth, events, stored } = await signIn()
  const before = stored() ?? assert.fail()
  const { data, error } = await auth.refreshSession()
  assert.equal(error, null)
  assert.notEqual(data.session?.refresh_token, before.refresh_token)
  const [old, now] = [decodeClaims(before.access_token), decodeClaims(data.session?.access_token ?? '')]
  assert.deepEqual([now.session_id, now.amr], [old.session_id, old.amr])
  assert.equal(stored()?.refresh_token, data.session?.refresh_token)
  assert.equal(events.at(-1), 'TOKEN_REFRESHED')
})

test('refreshSession with a token needs no stored session', async () => {
  const person = await app.user()
  const { auth, stored } = createAuthClient(proxy.url)
  const { data, error } = await auth.refreshSession({ refresh_token: person.refreshToken })
  assert.equal(error, null)
  assert.equal(data.user?.id, person.id)
  assert.ok(stored())
})

test('concurrent refreshes of one client are one request', async () => {
  const { auth } = await signIn()
  const responses = await Promise.all(Array.from({ length: 8 }, () => auth.refreshSession()))
  assert.equal(new Set(responses.map(({ data }) => data.session?.refresh_token)).size, 1)
  assert.equal(refreshes(), 1)
})

test('two devices with copies of one session that refresh concurrently stay signed in, with the same tokens', async () => {
  const { items, storageKey, auth } = await signIn()
  const copy = createAuthClient(proxy.url, {}, { items: new Map(items), storageKey }).auth
  const [one, two] = await Promise.all([auth.refreshSession(), copy.refreshSession()])
  assert.deepEqual([one.error, two.error], [null, null])
  assert.equal(one.data.session?.refresh_token, two.data.session?.refresh_token)
})

test('a refresh whose response was lost can be repeated', async () => {
  const { auth, stored } = await signIn()
  const before = stored()?.refresh_token ?? assert.fail()
  await app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: before }) // never arrived
  const { data, error } = await auth.refreshSession()
  assert.equal(error, null)
  assert.equal((await app.withToken(data.session?.access_token ?? '').get('/auth/v1/user')).status, 200)
})

test('a session whose refresh is refused is kept until its access token expires, and then dropped', async () => {
  const { auth, events, person, store, stored } = await signIn()
  await person.post('/auth/v1/logout')
  store({ expires_at: nowS() + 60 })
  assert.deepEqual(authFailure(await auth.refreshSession({ refresh_token: stored()?.refresh_token ?? '' })), {
    name: 'AuthApiError',
    status: 400,
    code: 'refresh_token_not_found',
  })
  assert.ok(stored())
  store({ expires_at: nowS() - 1, refresh_token: 'B'.repeat(43) }) // another token, so that the client sends a request again
  assert.equal((await auth.getSession()).data.session, null)
  assert.equal(stored(), null)
  assert.equal(events.at(-1), 'SIGNED_OUT')
})

// --- setSession

test('setSession takes over valid tokens after requesting their user', async () => {
  const person = await app.user()
  const { auth, events, stored } = createAuthClient(proxy.url)
  const tokens = { access_token: person.token, refresh_token: person.refreshToken }
  const { data, error } = await auth.setSession(tokens)
  assert.equal(error, null)
  assert.equal(data.user?.id, person.id)
  assert.equal(stored()?.refresh_token, person.refreshToken)
  assert.deepEqual(proxy.seen, ['GET /auth/v1/user'])
  assert.ok(events.includes('SIGNED_IN'))
})

test('setSession refreshes when the access token has expired', async () => {
  const person = await app.user()
  const { auth, events } = createAuthClient(proxy.url)
  const tokens = { access_token: expiredCopy(person.token), refresh_token: person.refreshToken }
  const { data, error } = await auth.setSession(tokens)
  assert.equal(error, null)
  assert.equal(data.user?.id, person.id)
  assert.deepEqual(proxy.seen, [REFRESH])
  assert.ok(events.includes('TOKEN_REFRESHED'))
})

test('setSession with an expired access token and an unknown refresh token fails, and stores nothing', async () => {
  const person = await app.user()
  const { auth, items } = createAuthClient(proxy.url)
  const tokens = { access_token: expiredCopy(person.token), refresh_token: 'A'.repeat(43) }
  assert.equal(authFailure(await auth.setSession(tokens)).code, 'refresh_token_not_found')
  assert.equal(items.size, 0)
})

test('setSession with a modified token is refused', async () => {
  const person = await app.user()
  const [header, payload, signature] = person.token.split('.')
  const access_token = `${header}.${payload}.${signature?.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`
  const response = await createAuthClient(proxy.url).auth.setSession({
    access_token,
    refresh_token: person.refreshToken,
  })
  assert.deepEqual(authFailure(response), { name: 'AuthApiError', status: 403, code: 'bad_jwt' })
})

// --- getClaims and what depends on it

test('getClaims accepts a token after requesting its user, because the signing key is secret', async () => {
  const { auth, person } = await signIn()
  const { data, error } = await auth.getClaims()
  assert.equal(error, null)
  assert.deepEqual([data?.claims.sub, data?.claims.role, data?.header.alg], [person.id, 'authenticated', 'HS256'])
  assert.deepEqual(proxy.seen, ['GET /auth/v1/user'])
})

test('getClaims(jwt) of an ended session fails', async () => {
  const person = await app.user()
  await person.post('/auth/v1/logout')
  assert.equal(
    authFailure(await createAuthClient(proxy.url).auth.getClaims(person.token)).name,
    'AuthSessionMissingError',
  )
})

test('mfa returns no factors and the first level', async () => {
  const { auth } = await signIn()
  const factors = await auth.mfa.listFactors()
  assert.deepEqual([factors.error, factors.data?.all], [null, []])
  const { data } = await auth.mfa.getAuthenticatorAssuranceLevel()
  assert.deepEqual([data?.currentLevel, data?.nextLevel], ['aal1', 'aal1'])
  assert.partialDeepStrictEqual(data?.currentAuthenticationMethods, [{ method: 'password' }])
})

// --- signOut

test('signOut ends every session of the person', async () => {
  const { auth, events, items, person } = await signIn()
  assert.equal((await auth.signOut()).error, null)
  assert.deepEqual([items.size, events.at(-1)], [0, 'SIGNED_OUT'])
  assert.equal((await person.get('/auth/v1/user')).body.error_code, 'session_not_found')
})

test('signOut of scope local ends only this session', async () => {
  const { auth, events, items, person, stored } = await signIn()
  const { access_token } = stored() ?? assert.fail()
  assert.equal((await auth.signOut({ scope: 'local' })).error, null)
  assert.deepEqual([items.size, events.at(-1)], [0, 'SIGNED_OUT'])
  assert.equal((await app.withToken(access_token).get('/auth/v1/user')).body.error_code, 'session_not_found')
  assert.equal((await person.get('/auth/v1/user')).status, 200)
})

test('signOut of scope others keeps this session and emits no event', async () => {
  const { auth, events, person } = await signIn()
  assert.equal((await auth.signOut({ scope: 'others' })).error, null)
  assert.equal((await auth.getUser()).error, null)
  assert.equal(events.includes('SIGNED_OUT'), false)
  assert.equal((await person.get('/auth/v1/user')).body.error_code, 'session_not_found')
})

test('signOut works when the session was ended elsewhere, or the account is gone', async () => {
  for (const end of [
    (id: string) => app.db`delete from auth.sessions where user_id = ${id}`,
    (id: string) => app.db`delete from auth.users where id = ${id}`,
  ]) {
    const { auth, items, person } = await signIn()
    await end(person.id)
    assert.equal((await auth.signOut()).error, null)
    assert.equal(items.size, 0)
  }
})

test('while the server is unavailable, signOut of scope local signs this device out, and of scope global does not', async () => {
  const { auth, items } = await signIn()
  proxy.next('/auth/v1/logout', { status: 503 })
  assert.equal(authFailure(await auth.signOut()).name, 'AuthRetryableFetchError')
  assert.equal(items.size, 1)
  proxy.next('/auth/v1/logout', 'cut')
  assert.equal(authFailure(await auth.signOut({ scope: 'local' })).name, 'AuthRetryableFetchError')
  assert.equal(items.size, 0)
})
