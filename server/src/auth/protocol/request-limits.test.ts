import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SERVICE_ROLE_KEY, type TestResponse, testApp } from '../../test/app.ts'
import { assertRefused } from '../../test/auth-links.ts'

const SCALE = 0.2
/** What a limit of the table is here. */
const scaled = (limit: number) => limit * SCALE
const settings = { LIMIT_SCALE: String(SCALE), TRUST_PROXY: '127.0.0.1', SERVICE_ROLE_KEY }
const app = await testApp({ settings })

// each test uses its own network
let networks = 0
const network = () => ({ 'x-forwarded-for': `198.51.100.${++networks}` })
type Network = ReturnType<typeof network>

const refresh = (from: Network) =>
  app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: 'A'.repeat(43) }, from)
const repeat = async (count: number, request: (i: number) => Promise<TestResponse>) => {
  const responses: TestResponse[] = []
  for (let i = 0; i < count; i += 5) {
    const some = Array.from({ length: Math.min(5, count - i) }, (_, k) => request(i + k))
    responses.push(...(await Promise.all(some)))
  }
  return responses
}
const countAllowed = (responses: TestResponse[]) => responses.filter(({ status }) => status !== 429).length

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
  const here = network()
  const signIn = (from: Network) => app.visitor.post('/auth/v1/token?grant_type=password', {}, from)
  const calls = [
    () => signIn(here),
    () => app.visitor.post('/auth/v1/signup', {}, here),
    () => app.visitor.post('/auth/v1/verify', { token_hash: 'x', type: 'signup' }, here),
  ]
  assert.equal(countAllowed(await repeat(scaled(150), (i) => calls[i % calls.length]!())), scaled(150))
  for (const call of calls) assertOver(await call(), 300)
  assertRefused(await signIn(network()), 400, 'validation_failed')
  // a client whose refresh is refused, also with 429, drops the session when its access token has expired
  assertRefused(await refresh(here), 400, 'refresh_token_not_found')
  assert.equal((await app.visitor.get('/auth/v1/verify?token=x&type=signup', here)).status, 303)
})

test('emails and changes of an account share one count, and an unreadable body counts', async () => {
  const here = network()
  const person = await app.user()
  const calls: (() => Promise<TestResponse>)[] = [
    ...['otp', 'recover', 'resend'].map((name) => () => app.visitor.post(`/auth/v1/${name}`, {}, here)),
    () => person.put('/auth/v1/user', {}, here),
    () => app.visitor.post('/auth/v1/recover', '{', here),
  ]
  assert.equal(countAllowed(await repeat(scaled(30), (i) => calls[i % calls.length]!())), scaled(30))
  for (const call of calls) assertOver(await call(), 300)
})

test('signing out and public information are never limited', async () => {
  const here = network()
  const person = await app.user()
  const calls = [
    () => app.visitor.post('/auth/v1/logout', undefined, here),
    () => app.visitor.get('/auth/v1/settings', here),
    () => app.visitor.get('/auth/v1/health', here),
    () => app.visitor.get('/auth/v1/.well-known/jwks.json', here),
  ]
  assert.equal(countAllowed(await repeat(scaled(1_500), (i) => calls[i % calls.length]!())), scaled(1_500))
  assert.equal((await person.post('/auth/v1/logout', undefined, here)).status, 204)
  const preflight = await fetch(`${app.url}/auth/v1/logout`, { method: 'OPTIONS', headers: here })
  assert.equal(preflight.status, 204)
})

test('the rest of the protocol is limited as any API, in its own envelope', async () => {
  const here = network()
  const service = app.withToken(SERVICE_ROLE_KEY)
  assert.equal(countAllowed(await repeat(scaled(300), () => service.get('/auth/v1/admin/users/x', here))), scaled(300))
  assertOver(await service.get('/auth/v1/admin/users/x', here), 60)
  assertOver(await app.visitor.get('/auth/v1/nothing', here), 60)
  assertOver(await app.visitor.get('/auth/v1/token', here), 60) // a wrong method
  // the other limits are counted separately
  assertRefused(await refresh(here), 400, 'refresh_token_not_found')
})
