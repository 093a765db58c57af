import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestResponse, testApp } from '../test/app.ts'
import { assertRefused } from '../test/auth-links.ts'
import { rawRequest } from '../test/raw-request.ts'

const SCALE = 0.1
/** What a limit of the table is here. */
const scaled = (limit: number) => limit * SCALE
const settings = { LIMIT_SCALE: String(SCALE), TRUST_PROXY: '127.0.0.1' }
const app = await testApp({ settings })

// each test has a network of its own, and the wider ones around it
let networks = 0
const nextNetwork = () => ({ 'x-forwarded-for': `203.0.${++networks}.1` })
type Network = ReturnType<typeof nextNetwork>

const ANONYMOUS_LIMIT = scaled(300)
const USER_LIMIT = scaled(1_200)

/** Sends requests, 5 at a time, and returns how many of them were allowed. */
const countAllowed = async (count: number, request: (i: number) => Promise<{ status: number }>) => {
  let allowed = 0
  for (let i = 0; i < count; i += 5) {
    const batch = Array.from({ length: Math.min(5, count - i) }, (_, k) => request(i + k))
    allowed += (await Promise.all(batch)).filter(({ status }) => status !== 429).length
  }
  return allowed
}

function assertRateLimited({ status, body, headers }: TestResponse) {
  assert.deepEqual([status, body.code], [429, 'too_many_requests'])
  assert.match(body.error, /wait a moment/)
  assert.equal(headers.get('cache-control'), 'no-store')
  const seconds = Number(headers.get('retry-after'))
  assert.ok(seconds > 0 && seconds <= 61, `${seconds} s`)
}

test('an anonymous caller has a limit on API requests, whichever they are', async () => {
  const here = nextNetwork()
  const calls = [
    () => app.visitor.get('/api/vehicles', here),
    () => app.visitor.get('/api/nothing', here),
    () => app.visitor.post('/register-plate', '{', here),
    () => app.visitor.post('/send-email', {}, here),
    () => app.visitor.post('/rest/v1/rpc/get_users', {}, here),
    () => app.visitor.post('/functions/v1/delete-user', {}, here),
    () => app.visitor.get('/storage/v1/object/public/message-attachments/x.webp', here),
    () => app.visitor.patch('/api/messages/1', {}, here),
  ]
  assert.equal(await countAllowed(ANONYMOUS_LIMIT, (i) => calls[i % calls.length]!()), ANONYMOUS_LIMIT)
  for (const call of calls) assertRateLimited(await call())
  assert.equal((await app.visitor.get('/api/vehicles', nextNetwork())).status, 401)
})

test('the /24 of an IPv4 address is allowed four times as many, and then all of it waits', async () => {
  const subnet = `198.51.${++networks}`
  const get = (host: number) => app.visitor.get('/api/x', { 'x-forwarded-for': `${subnet}.${host}` })
  for (let host = 1; host <= 4; host++) {
    assert.equal(await countAllowed(ANONYMOUS_LIMIT, () => get(host)), ANONYMOUS_LIMIT)
  }
  assertRateLimited(await get(5))
  assert.equal((await app.visitor.get('/api/x', nextNetwork())).status, 404)
})

test('an address to which a proxy adds the port, brackets or quotation marks is the same network', async () => {
  const spelled: [address: string, others: (port: number) => string][] = [
    ['203.0.200.1', (port) => `203.0.200.1:${port}`],
    ['203.0.201.1', (port) => `10.0.0.1, "203.0.201.1:${port}"`],
    ['2001:db8:1:1::1', (port) => `[2001:db8:1:1::1]:${port}`],
    ['2001:db8:2:1::1', (port) => `192.0.2.1:80 ,"[2001:db8:2:1::${port}]"`],
    ['2001:db8:3:1::1', (port) => `"[2001:DB8:3:1::1]:_${port}"`],
  ]
  for (const [address, withPort] of spelled) {
    const get = (i: number) => app.visitor.get('/api/x', { 'x-forwarded-for': withPort(1024 + i) })
    assert.equal(await countAllowed(ANONYMOUS_LIMIT + 10, get), ANONYMOUS_LIMIT, withPort(1))
    assertRateLimited(await app.visitor.get('/api/x', { 'x-forwarded-for': address }))
  }
})

test('an address written with escapes counts as the same address', async () => {
  const here = nextNetwork()
  const request = () => rawRequest(app.url, '/%61pi/vehicles', { headers: here })
  assert.equal((await request()).status, 401)
  assert.equal(await countAllowed(ANONYMOUS_LIMIT - 1, request), ANONYMOUS_LIMIT - 1)
  assert.equal((await request()).status, 429)
})

test('health checks and pages are not limited', async () => {
  const here = nextNetwork()
  await countAllowed(ANONYMOUS_LIMIT + 1, () => app.visitor.get('/api/x', here))
  for (const path of ['/healthz', '/readyz', '/make_models.json']) {
    assert.equal((await app.visitor.get(path, here)).status, 200)
  }
  assert.equal((await app.visitor.get('/login', here)).status, 404) // this server has no pages
})

test('a request with a forged token, or one whose session has ended, counts as anonymous', async () => {
  const person = await app.user()
  await person.post('/auth/v1/logout')
  const here = nextNetwork()
  const forged = app.withToken(`${person.token.slice(0, -1)}${person.token.endsWith('A') ? 'B' : 'A'}`)
  assert.equal(
    await countAllowed(ANONYMOUS_LIMIT, (i) => (i % 2 ? forged : person).get('/api/vehicles', here)),
    ANONYMOUS_LIMIT,
  )
  assertRateLimited(await forged.get('/api/vehicles', here))
  assertRateLimited(await person.get('/api/vehicles', here))
})

test('a signed-in user has another limit, wherever they are and however busy the network is', async () => {
  const [person, other] = [await app.user(), await app.user()]
  const here = nextNetwork()
  await countAllowed(ANONYMOUS_LIMIT + 1, () => app.visitor.get('/api/x', here))
  const request = () => person.get('/api/notifications/unread-count', here)
  assert.equal(await countAllowed(USER_LIMIT, request), USER_LIMIT)
  assertRateLimited(await request())
  assertRateLimited(await person.get('/api/vehicles', nextNetwork()))
  assert.equal((await other.get('/api/vehicles', here)).status, 200)
  // the limit covers the API: a user who is over it can still sign out
  assert.equal((await person.post('/auth/v1/logout', undefined, here)).status, 204)
})

// The auth protocol.

const refresh = (from: Network) =>
  app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: 'A'.repeat(43) }, from)

function assertOver(response: TestResponse, windowS: number) {
  assertRefused(response, 429, 'over_request_rate_limit')
  assert.equal(response.body.msg, 'Request rate limit reached')
  const seconds = Number(response.headers.get('retry-after'))
  assert.ok(seconds > 0 && seconds <= windowS + 1, `${seconds} s`)
  // a browser can only read it with these
  assert.equal(response.headers.get('access-control-allow-origin'), 'http://platenote.test')
  assert.match(response.headers.get('access-control-expose-headers') ?? '', /Retry-After/)
}

test('sign-ins, sign-ups and tokens of links of one network share a count, which refreshes, links and others have no part in', async () => {
  const here = nextNetwork()
  const signIn = (from: Network) => app.visitor.post('/auth/v1/token?grant_type=password', {}, from)
  const calls = [
    () => signIn(here),
    () => app.visitor.post('/auth/v1/signup', {}, here),
    () => app.visitor.post('/auth/v1/verify', { token_hash: 'x', type: 'signup' }, here),
  ]
  assert.equal(await countAllowed(scaled(150), (i) => calls[i % calls.length]!()), scaled(150))
  for (const call of calls) assertOver(await call(), 300)
  assertRefused(await signIn(nextNetwork()), 400, 'validation_failed')
  // a client whose refresh is refused, also with 429, drops the session when its access token has expired
  assertRefused(await refresh(here), 400, 'refresh_token_not_found')
  assert.equal((await app.visitor.get('/auth/v1/verify?token=x&type=signup', here)).status, 303)
})

test('emails and changes of an account share one count, and an unreadable body counts', async () => {
  const here = nextNetwork()
  const person = await app.user()
  const calls: (() => Promise<TestResponse>)[] = [
    ...['otp', 'recover', 'resend'].map((name) => () => app.visitor.post(`/auth/v1/${name}`, {}, here)),
    () => person.put('/auth/v1/user', {}, here),
    () => app.visitor.post('/auth/v1/recover', '{', here),
  ]
  assert.equal(await countAllowed(scaled(30), (i) => calls[i % calls.length]!()), scaled(30))
  for (const call of calls) assertOver(await call(), 300)
})

test('signing out is never limited', async () => {
  const here = nextNetwork()
  const person = await app.user()
  const signOut = () => app.visitor.post('/auth/v1/logout', undefined, here)
  assert.equal(await countAllowed(scaled(1_500), signOut), scaled(1_500))
  assert.equal((await person.post('/auth/v1/logout', undefined, here)).status, 204)
  const preflight = await fetch(`${app.url}/auth/v1/logout`, { method: 'OPTIONS', headers: here })
  assert.equal(preflight.status, 204)
})

test('the rest of the protocol is limited as any API, in its own envelope', async () => {
  const here = nextNetwork()
  const nothing = () => app.visitor.get('/auth/v1/nothing', here)
  assert.equal(await countAllowed(scaled(300), nothing), scaled(300))
  assertOver(await nothing(), 60)
  assertOver(await app.visitor.get('/auth/v1/token', here), 60) // a wrong method
  // the other limits are counted separately
  assertRefused(await refresh(here), 400, 'refresh_token_not_found')
})
