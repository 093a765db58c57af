import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD, SERVICE_ROLE_KEY, type TestResponse, testApp } from '../../test/app.ts'
import { assertRefused } from '../../test/auth-links.ts'

const SCALE = 0.2
/** What a limit of the table is here. */
const scaled = (limit: number) => limit * SCALE
const settings = { LIMIT_SCALE: String(SCALE), TRUST_PROXY: '127.0.0.1', SERVICE_ROLE_KEY }
const app = await testApp({ settings })
after(() => app.close())

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

test('a network can sign in, with a password or a code, and up 150 times in five minutes, independently of others', async () => {
  const here = network()
  const person = await app.user()
  const signIn = (input: object, from: Network) => app.visitor.post('/auth/v1/token?grant_type=password', input, from)
  const signUp = (input: object) => app.visitor.post('/auth/v1/signup', input, here)
  const verify = () => app.visitor.post('/auth/v1/verify', { token_hash: 'x', type: 'signup' }, here)
  const calls = [() => signUp({}), () => signIn({}, here), verify]
  assert.equal(countAllowed(await repeat(scaled(150), (i) => calls[i % calls.length]!())), scaled(150))
  assertOver(await verify(), 300)
  const right = { email: person.email, password: PASSWORD }
  assertOver(await signIn(right, here), 300)
  assertOver(await signUp({ email: 'over@example.com', password: PASSWORD }), 300)
  assert.equal((await signIn(right, network())).status, 200)
})

test('refreshes and sign-ins of one network are limited independently', async () => {
  const here = network()
  const person = await app.user()
  const token = (grant: string, input: object) => app.visitor.post(`/auth/v1/token?grant_type=${grant}`, input, here)
  await repeat(scaled(150) + 1, () => token('password', {}))
  await repeat(10, () => token('nonsense', {}))
  // a client whose refresh is refused, also with 429, drops the session when its access token has expired
  const refreshed = await token('refresh_token', { refresh_token: person.refreshToken })
  assert.equal(refreshed.status, 200, refreshed.text)

  const there = network()
  assert.equal(countAllowed(await repeat(scaled(150), () => refresh(there))), scaled(150))
  assertOver(await refresh(there), 300)
  const signIn = { email: person.email, password: PASSWORD }
  assert.equal((await app.visitor.post('/auth/v1/token?grant_type=password', signIn, there)).status, 200)
})

test('emails and changes of an account share one count, and an unreadable body counts', async () => {
  const here = network()
  const person = await app.user()
  const calls: ((i: number) => Promise<TestResponse>)[] = [
    (i) => app.visitor.post('/auth/v1/otp', { email: `otp${i}@example.com`, create_user: false }, here),
    (i) => app.visitor.post('/auth/v1/recover', { email: `recover${i}@example.com` }, here),
    (i) => app.visitor.post('/auth/v1/resend', { type: 'signup', email: `resend${i}@example.com` }, here),
    (i) => person.put('/auth/v1/user', { data: { i } }, here),
    () => app.visitor.post('/auth/v1/recover', '{', here),
  ]
  assert.equal(countAllowed(await repeat(scaled(30), (i) => calls[i % calls.length]!(i))), scaled(30))
  for (const call of calls) assertOver(await call(99), 300)
  // links can be opened as often
  const open = () => app.visitor.get('/auth/v1/verify?token=x&type=signup', here)
  assert.equal(countAllowed(await repeat(scaled(30), open)), scaled(30))
  assertOver(await open(), 300)
})

test('signing out and public information are never limited', async () => {
  const here = network()
  const person = await app.user()
  await repeat(scaled(150) + 1, () => refresh(here))
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

test('reading the own user counts against the limit of the person, who can still sign out', async () => {
  const here = network()
  const [person, other] = [await app.user(), await app.user()]
  assert.equal(countAllowed(await repeat(scaled(1_200), () => person.get('/auth/v1/user', here))), scaled(1_200))
  assertOver(await person.get('/auth/v1/user', network()), 60)
  assert.equal((await other.get('/auth/v1/user', here)).status, 200)
  assert.equal((await person.post('/auth/v1/logout', undefined, here)).status, 204)
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
