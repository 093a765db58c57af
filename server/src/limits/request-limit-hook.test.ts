import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestResponse, testApp } from '../test/app.ts'
import { rawRequest } from '../test/raw-request.ts'

const app = await testApp({ settings: { LIMIT_SCALE: '0.1', TRUST_PROXY: '127.0.0.1' } })

// each test has a network of its own, and the wider ones around it
let networks = 0
const nextNetwork = () => ({ 'x-forwarded-for': `203.0.${++networks}.1` })

const ANONYMOUS_LIMIT = 30
const USER_LIMIT = 120

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
