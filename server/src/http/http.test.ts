import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { type Answer, type Person, type TestApp, testApp } from '../test/app.ts'
import { rawRequest } from '../test/raw-request.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

const FRENCH = { 'accept-language': 'fr-CA' }

let app: TestApp
let person: Person
before(async () => {
  app = await testApp()
  person = await app.user()
})
after(() => app.close())

/** Asserts the error body of decision 0031: these keys and no others. */
function assertRefused(answer: Answer, code: ErrorCode, extra: string[] = []): void {
  assert.equal(answer.status, ERRORS[code].status, answer.text)
  assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'error', ...extra].sort())
  assert.equal(answer.body.code, code)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
}

describe('headers', () => {
  const SECURITY = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
  }

  const CALLS: [what: string, path: string, method?: string, body?: string][] = [
    ['an answer', '/api/vehicles'],
    ['a refusal for the signed-out', '/api/dashboard'],
    ['a refusal of the input', '/api/messages?limit=0'],
    ['an unknown address', '/api/nothing'],
    ['an address that cannot be decoded', '/api/%ff'],
    ['an unreadable body', '/api/messages', 'POST', '{'],
    ['an answer without a body', '/api/notifications/read-all', 'POST', '{}'],
    ['the auth protocol', '/auth/v1/user'],
    ['a refusal of the auth protocol', '/auth/v1/token?grant_type=password', 'POST', '{}'],
    ['the catalogue', '/make_models.json'],
    ['the description', '/openapi.json'],
    ['the health', '/healthz'],
    ['an image that is not there', '/storage/v1/object/public/message-attachments/x.webp'],
  ]
  for (const [what, path, method = 'GET', body] of CALLS) {
    test(`${what} carries the security headers and an id of its own`, async () => {
      const signedIn = path !== '/api/dashboard'
      const headers = {
        ...(signedIn && { authorization: `Bearer ${person.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(body.length) }),
        'x-request-id': 'chosen-by-the-caller',
      }
      const ask = () => rawRequest(app.url, path, { method, headers, ...(body !== undefined && { body }) })
      const [answer, second] = [await ask(), await ask()]
      for (const [name, value] of Object.entries(SECURITY)) assert.equal(answer.headers[name], value, name)
      const policy = String(answer.headers['content-security-policy'])
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe/)
      assert.match(String(answer.headers['x-request-id']), /^[0-9a-f-]{36}$/)
      assert.notEqual(answer.headers['x-request-id'], second.headers['x-request-id'])
      assert.equal(answer.headers['strict-transport-security'], undefined)
      assert.equal(answer.headers['x-powered-by'] ?? answer.headers['server'], undefined)
    })
  }

  test('in production every answer demands TLS, and there is no mailbox', async () => {
    const server = await startSiblingServer({ ...app.context, config: { ...app.config, production: true } })
    try {
      for (const path of ['/healthz', '/api/dashboard', '/nothing', '/%ff', '/dev/mailbox', '/dev/mailbox.json']) {
        const { status, headers } = await rawRequest(server.url, path)
        assert.equal(headers['strict-transport-security'], 'max-age=63072000; includeSubDomains', path)
        if (path.startsWith('/dev/')) assert.equal(status, 404)
      }
    } finally {
      await server.close()
    }
  })
})

describe('refusals', () => {
  test('unknown addresses of the interface are told so in both languages', async () => {
    for (const path of ['/api', '/api/nothing', '/rest/v1/x', '/functions/v1/x', '/storage/x', '/%ff', '/api/a%00b']) {
      const english = await rawRequest(app.url, path)
      assert.equal(english.status, 404)
      assert.deepEqual(JSON.parse(english.text), { error: 'Not found.', code: 'not_found' })
      const french = await rawRequest(app.url, path, { headers: FRENCH })
      assert.deepEqual(JSON.parse(french.text), { error: 'Introuvable.', code: 'not_found' })
    }
  })

  const LANGUAGES: [header: string, text: string][] = [
    ['fr', 'Introuvable.'],
    ['FR-fr', 'Introuvable.'],
    ['fr-CA, en;q=0.8', 'Introuvable.'],
    ['en;q=0.5, fr;q=0.9', 'Introuvable.'],
    ['de, fr;q=0.4, en;q=0.6', 'Not found.'],
    ['en-CA, fr-CA', 'Not found.'],
    ['fr;q=0', 'Not found.'],
    ['fro', 'Not found.'],
    ['de', 'Not found.'],
    ['*', 'Not found.'],
    [';;q=,fr;q=x', 'Introuvable.'],
    ['', 'Not found.'],
  ]
  for (const [header, text] of LANGUAGES) {
    test(`Accept-Language "${header}" is answered with "${text}"`, async () => {
      const { body } = await app.visitor.get('/api/nothing', { 'accept-language': header })
      assert.equal(body.error, text)
    })
  }

  test('bodies that are no JSON object are unreadable', async () => {
    const bodies = ['{', '{"plate": }', '[]', '"text"', '1', 'null', 'plate=ABC', '{"__proto__": {"x": 1}}', '{"a":1}x']
    for (const body of bodies) assertRefused(await person.post('/api/messages', body), 'bad_json')
    assertRefused(await person.post('/api/messages', '{', FRENCH), 'bad_json')
  })

  test('an absent body is judged as an empty one: the fields are missing', async () => {
    for (const body of ['', '{}']) assertRefused(await person.post('/api/messages', body), 'invalid_input', ['fields'])
  })

  test('bodies of another type are refused, whatever they say', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data']) {
      const answer = await person.post('/api/messages', '{"plate":"A","content":"b"}', { 'content-type': type })
      assertRefused(answer, 'unsupported_media_type')
    }
  })

  test('a body beyond a megabyte is refused before it is sent', async () => {
    const headers = {
      authorization: `Bearer ${person.token}`,
      'content-type': 'application/json',
      'content-length': String(1024 * 1024 + 1),
    }
    const answer = await rawRequest(app.url, '/api/messages', { method: 'POST', headers })
    assert.deepEqual([answer.status, JSON.parse(answer.text).code], [413, 'too_large'])
  })

  test('who may is asked before the body is read', async () => {
    assertRefused(await app.visitor.post('/api/messages', '{'), 'signed_out')
    assertRefused(await app.visitor.post('/api/messages', 'x', { 'content-type': 'text/plain' }), 'signed_out')
  })

  test('a method an address does not take is no way in', async () => {
    assertRefused(await person.delete('/api/vehicles'), 'not_found')
    assertRefused(await person.put('/api/preferences', {}), 'not_found')
    for (const method of ['TRACE', 'OPTIONS', 'PROPFIND', 'PATCH']) {
      assert.equal((await rawRequest(app.url, '/api/vehicles', { method })).status, 404, method)
    }
  })

  test('HEAD is not GET: calls do not answer it, the health does', async () => {
    const headers = { authorization: `Bearer ${person.token}` }
    const head = (path: string) => rawRequest(app.url, path, { method: 'HEAD', headers })
    assert.equal((await head('/api/vehicles')).status, 404)
    for (const path of ['/healthz', '/readyz']) {
      const { status, bytes } = await head(path)
      assert.deepEqual([status, bytes.length], [200, 0])
    }
  })
})

describe('health', () => {
  test('a server that lives and reaches its database says so, uncached', async () => {
    for (const [path, body] of [
      ['/healthz', { status: 'ok' }],
      ['/readyz', { status: 'ready' }],
    ] as const) {
      const answer = await app.visitor.get(path)
      assert.deepEqual([answer.status, answer.body, answer.headers.get('cache-control')], [200, body, 'no-store'])
    }
  })

  test('a worker serves its health and nothing else', async () => {
    const server = await startSiblingServer({ ...app.context, config: { ...app.config, ROLE: 'worker' } })
    try {
      assert.equal((await rawRequest(server.url, '/readyz')).status, 200)
      for (const path of ['/api/vehicles', '/openapi.json', '/auth/v1/health', '/', '/make_models.json']) {
        const { status, text } = await rawRequest(server.url, path)
        assert.deepEqual([status, JSON.parse(text).code], [404, 'not_found'], path)
      }
    } finally {
      await server.close()
    }
  })
})

test('a forwarded address counts only where the proxy is one that is believed', async () => {
  // one sign-up an hour from one network
  const config = { ...app.config, LIMIT_SCALE: 1 / 30 }
  const believing = await startSiblingServer({ ...app.context, config: { ...config, TRUST_PROXY: ['127.0.0.1'] } })
  const plain = await startSiblingServer({ ...app.context, config: { ...config, TRUST_PROXY: ['203.0.113.200'] } })
  let people = 0
  const signUp = async (url: string, forwarded: string) => {
    const answer = await fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
      body: JSON.stringify({ email: `proxy-${++people}@example.com`, password: 'Correct-horse-7' }),
    })
    await answer.arrayBuffer()
    return answer.status
  }
  try {
    assert.equal(await signUp(believing.url, '198.51.100.1'), 200)
    assert.equal(await signUp(believing.url, '198.51.100.1'), 429)
    assert.equal(await signUp(believing.url, '198.51.100.2'), 200)
    // what a client puts before the proxy's own entry is not believed
    assert.equal(await signUp(believing.url, '192.0.2.7, 198.51.100.1'), 429)
    assert.deepEqual(
      [await signUp(plain.url, '198.51.100.8'), await signUp(plain.url, '198.51.100.9')].filter((s) => s === 200)
        .length,
      0, // the network of this machine has signed up already, in `before`
    )
  } finally {
    await believing.close()
    await plain.close()
  }
})
