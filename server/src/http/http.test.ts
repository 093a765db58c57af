import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts'
import { m } from '#texts/messages.js'
import { revokeAdmin } from '../auth/admin-role.ts'
import { createCaller, PASSWORD, type Person, type TestResponse, testApp } from '../test/app.ts'
import { createAdmin, createTwoUsers, onlyVehicleOf, registerPlate } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { rawRequest } from '../test/raw-request.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { DAY_S } from '../time.ts'
import { SECURITY_TXT_EXPIRES } from './security-txt.ts'

const CONTRACT = join(import.meta.dirname, '../../../contract/src')
const FRENCH = { 'accept-language': 'fr-CA' }

const app = await testApp({ settings: { SUPPORT_EMAIL: 'help@platenote.test' } })
const person = await app.user()

/** Asserts the error body of `docs/http-interface.md`: these keys and no others. */
function assertRefused(response: TestResponse, code: ErrorCode): void {
  assert.equal(response.status, ERROR_STATUS[code], response.text)
  assert.deepEqual(Object.keys(response.body).sort(), ['code', 'error'])
  assert.equal(response.body.code, code)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'no-store')
}

/** Returns every code that a schema anywhere below has for a wrong value. */
function fieldCodes(value: unknown, seen = new Set<unknown>(), codes = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return codes
  seen.add(value)
  const definition = (value as { _zod?: { def?: { error?: (issue: object) => unknown } } })._zod?.def
  const code = definition?.error?.({ input: undefined, path: [] })
  if (typeof code === 'string') codes.add(code)
  for (const part of Object.values(definition ?? value)) fieldCodes(part, seen, codes)
  return codes
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

  const REQUESTS: [what: string, path: string, method?: string, body?: string][] = [
    ['a response', '/api/vehicles'],
    ['a refusal of a signed-out caller', '/api/dashboard'],
    ['an unknown address', '/api/nothing'],
    ['an address that cannot be decoded', '/api/%ff'],
    ['an unreadable body', '/api/messages', 'POST', '{'],
    ['the auth protocol', '/auth/v1/user'],
    ['a missing image', '/storage/v1/object/public/message-attachments/x.webp'],
  ]
  for (const [what, path, method = 'GET', body] of REQUESTS) {
    test(`${what} has the security headers and its own request id`, async () => {
      const signedIn = path !== '/api/dashboard'
      const headers = {
        ...(signedIn && { authorization: `Bearer ${person.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(body.length) }),
        'x-request-id': 'chosen-by-the-caller',
      }
      const send = () => rawRequest(app.url, path, { method, headers, ...(body !== undefined && { body }) })
      const [response, second] = [await send(), await send()]
      for (const [name, value] of Object.entries(SECURITY)) assert.equal(response.headers[name], value, name)
      const policy = String(response.headers['content-security-policy'])
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe/)
      assert.match(String(response.headers['x-request-id']), /^[0-9a-f-]{36}$/)
      assert.notEqual(response.headers['x-request-id'], second.headers['x-request-id'])
      assert.equal(response.headers['strict-transport-security'], undefined)
      assert.equal(response.headers['x-powered-by'] ?? response.headers['server'], undefined)
    })
  }

  test('in production every response demands TLS, and there is no dev mailbox', async () => {
    const server = await startSiblingServer({ ...app.context, config: { ...app.config, production: true } })
    for (const path of ['/healthz', '/api/dashboard', '/nothing', '/%ff', '/dev/mailbox', '/dev/mailbox.json']) {
      const { status, headers } = await rawRequest(server.url, path)
      assert.equal(headers['strict-transport-security'], 'max-age=63072000; includeSubDomains', path)
      if (path.startsWith('/dev/')) assert.equal(status, 404)
    }
  })
})

describe('refusals', () => {
  test('a refusal is in the language that Accept-Language prefers', async () => {
    for (const [header, text] of [
      ['fr-CA, en;q=0.8', 'Introuvable.'],
      ['en;q=0.5, fr;q=0.9', 'Introuvable.'],
      ['de, fr;q=0.4, en;q=0.6', 'Not found.'],
      ['fr;q=0', 'Not found.'],
      ['fro', 'Not found.'],
      [';;q=,fr;q=x', 'Introuvable.'],
      ['', 'Not found.'],
    ] as const) {
      const { body } = await app.visitor.get('/api/nothing', { 'accept-language': header })
      assert.equal(body.error, text, header)
    }
  })

  test('what is wrong with a field is said in the caller’s language', async () => {
    const message = { plate: 'NO SUCH PLATE', content: 'Vos phares \0' }
    const { body } = await person.post('/api/messages', message, FRENCH)
    assert.deepEqual(body.fields, {
      plate: 'De 1 à 8 caractères, sans espaces',
      content: 'Ce texte contient un caractère qui ne peut pas être envoyé.',
    })
    const endless = { plate: 'ABC123', content: 'é'.repeat(2_001), province: 'Maine' }
    assert.deepEqual((await person.post('/api/messages', endless, FRENCH)).body.fields, {
      content: 'Au plus 2\u00a0000 caractères.',
      province: 'Veuillez choisir une province.',
    })
  })

  test('every code the contract has about a field has its text', async () => {
    const modules = await Promise.all(
      readdirSync(CONTRACT)
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => import(join(CONTRACT, file)) as Promise<object>),
    )
    const codes = fieldCodes(modules)
    assert.ok(codes.delete('fields_missing') && codes.size > 25, [...codes].join('\n'))
    assert.deepEqual(
      [...codes].filter((code) => !(`field_${code}` in m)),
      [],
    )
  })

  test('a body that is no JSON object is refused as unreadable', async () => {
    const bodies = ['{', '{"plate": }', '[]', '"text"', '1', 'null', 'plate=ABC', '{"__proto__": {"x": 1}}', '{"a":1}x']
    for (const body of bodies) assertRefused(await person.post('/api/messages', body), 'bad_json')
    assertRefused(await person.post('/api/messages', '{', FRENCH), 'bad_json')
  })

  test('a body of another content type is refused, whatever it contains', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data']) {
      const response = await person.post('/api/messages', '{"plate":"A","content":"b"}', { 'content-type': type })
      assertRefused(response, 'unsupported_media_type')
    }
  })

  test('a body of more than a megabyte is refused before it is sent', async () => {
    const headers = {
      authorization: `Bearer ${person.token}`,
      'content-type': 'application/json',
      'content-length': String(1024 * 1024 + 1),
    }
    const response = await rawRequest(app.url, '/api/messages', { method: 'POST', headers })
    assert.deepEqual([response.status, JSON.parse(response.text).code], [413, 'too_large'])
  })

  test('authorization is checked before the body is read', async () => {
    assertRefused(await app.visitor.post('/api/messages', '{'), 'signed_out')
    assertRefused(await app.visitor.post('/api/messages', 'x', { 'content-type': 'text/plain' }), 'signed_out')
  })

  test('HEAD is not GET: API calls refuse it, health checks accept it', async () => {
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
  test('a worker serves its health checks and nothing else', async () => {
    const server = await startSiblingServer({ ...app.context, config: { ...app.config, ROLE: 'worker' } })
    assert.equal((await rawRequest(server.url, '/readyz')).status, 200)
    for (const path of ['/api/vehicles', '/openapi.json', '/auth/v1/user', '/', '/make_models.json']) {
      const { status, text } = await rawRequest(server.url, path)
      assert.deepEqual([status, JSON.parse(text).code], [404, 'not_found'], path)
    }
  })
})

test('a forwarded address counts only when it comes from a trusted proxy', async () => {
  // one sign-up an hour from one network
  const config = { ...app.config, LIMIT_SCALE: 1 / 100 }
  const trusting = await startSiblingServer({ ...app.context, config: { ...config, TRUST_PROXY: ['127.0.0.1'] } })
  const plain = await startSiblingServer({ ...app.context, config: { ...config, TRUST_PROXY: ['203.0.113.200'] } })
  let people = 0
  const signUp = async (url: string, forwarded: string) => {
    const account = { email: `proxy-${++people}@example.com`, password: PASSWORD }
    return (await createCaller(url).post('/auth/v1/signup', account, { 'x-forwarded-for': forwarded })).status
  }
  assert.equal(await signUp(trusting.url, '198.51.100.1'), 200)
  assert.equal(await signUp(trusting.url, '198.51.100.1'), 429)
  assert.equal(await signUp(trusting.url, '198.51.100.2'), 200)
  // what a client puts before the proxy's own entry is not trusted
  assert.equal(await signUp(trusting.url, '192.0.2.7, 198.51.100.1'), 429)
  assert.deepEqual(
    [await signUp(plain.url, '198.51.100.8'), await signUp(plain.url, '198.51.100.9')].filter((s) => s === 200).length,
    0, // the network of this machine has signed up already, in `before`
  )
})

test('security.txt has what RFC 9116 asks for, is valid for a month more and less than a year, and SECURITY.md says the same', async () => {
  const { status, headers, text } = await app.visitor.get('/.well-known/security.txt')
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
  assert.deepEqual(text.split('\n'), [
    'Contact: mailto:help@platenote.test?subject=Security',
    `Expires: ${SECURITY_TXT_EXPIRES}`,
    'Preferred-Languages: en, fr',
    'Canonical: http://platenote.test/.well-known/security.txt',
    '',
  ])
  const daysLeft = (Date.parse(SECURITY_TXT_EXPIRES) - Date.now()) / 1000 / DAY_S
  assert.ok(daysLeft > 30 && daysLeft < 366, `${daysLeft.toFixed(0)} days: renew SECURITY_TXT_EXPIRES`)
  const policy = readFileSync(join(import.meta.dirname, '../../../SECURITY.md'), 'utf8')
  for (const said of [SECURITY_TXT_EXPIRES.slice(0, 10), 'in English or French', '*Security* in the subject'])
    assert.ok(policy.includes(said), said)
})

/** Begins a request: the server has seen its headers, and its body is still to come. Returns a function that sends the body. */
async function beginRequest(who: Person, path: string) {
  const call = httpRequest(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
  })
  const result = new Promise<{ status: number | undefined; code: unknown }>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (response) => {
      const read = async () => ({ status: response.statusCode, code: JSON.parse(await text(response)).code })
      read().then(resolve, reject)
    })
  })
  call.write('{')
  await who.get('/api/vehicles') // by then the headers have been read
  return async (rest: string) => {
    const started = performance.now()
    await eventually(async () => performance.now() - started > 1_500 || undefined)
    call.end(rest)
    return result
  }
}

test('an admin’s decision whose body arrives late is refused when the role was revoked meanwhile', async () => {
  await createAdmin(app) // one admin has to remain
  const former = await createAdmin(app)
  const [owner] = await createTwoUsers(app)
  await registerPlate(owner, 'SLOW1')
  const { id } = await onlyVehicleOf(owner)
  const finish = await beginRequest(former, `/api/admin/vehicles/${id}/reject`)
  assert.equal(await revokeAdmin(app.db, former.email), 'revoked')
  assert.deepEqual(await finish('"reason":"Late."}'), { status: 403, code: 'forbidden' })
  assert.equal((await onlyVehicleOf(owner)).status, 'active')
})
