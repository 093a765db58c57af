import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as z from 'zod/mini'
import { PASSWORD, testApp } from '../../../test/app.ts'
import { assertRefused, toLinkResult } from '../../../test/auth-links.ts'
import { rawRequest } from '../../../test/raw-request.ts'
import * as bodies from '../request-input.ts'

// What bodies may contain (auth-protocol §1.0), for every call that has one.

const app = await testApp()
const confirming = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' }, sibling: app })
const person = await app.user()

/** The schema of each call. */
const BODIES = {
  'POST /signup': bodies.SignUpBody,
  'POST /token?grant_type=password': bodies.PasswordBody,
  'POST /token?grant_type=refresh_token': bodies.RefreshBody,
  'POST /otp': bodies.OtpBody,
  'POST /resend': bodies.ResendBody,
  'POST /recover': bodies.RecoverBody,
  'POST /verify': bodies.VerifyBody,
  'PUT /user': bodies.UserBody,
}

const call = (endpoint: string, body?: string) => {
  const [method, path] = endpoint.split(' ')
  return person[method === 'PUT' ? 'put' : 'post'](`/auth/v1${path}`, body)
}

test('every call accepts fields of their type only', async () => {
  for (const [endpoint, { shape }] of Object.entries(BODIES)) {
    for (const [field, type] of Object.entries<z.ZodMiniType>(shape)) {
      for (const value of [1, true, 'true', ['x'], { x: 1 }]) {
        if (type.safeParse(value).success) continue
        const refused = await call(endpoint, JSON.stringify({ [field]: value }))
        assertRefused(refused, 400, 'bad_json')
        assert.match(refused.body.msg, new RegExp(`: ${field}: Must be .+\\.$`))
      }
    }
  }
})

test('anything but a JSON object of at most a megabyte is refused, and so are texts that cannot be stored', async () => {
  for (const body of [
    undefined,
    ' ',
    '{"a":1,}',
    '[{}]',
    'null',
    'email=a%40example.com',
    '{"email":"a\\u0000b"}',
    '{"email":"\\ud800"}',
    '{"unknown":{"__proto__":{"x":1}}}',
    `{"unknown":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  ]) {
    assertRefused(await app.visitor.post('/auth/v1/signup', body), 400, 'bad_json')
  }
  const large = `{"unknown":"${'x'.repeat(1024 * 1024)}"}`
  assertRefused(await app.visitor.post('/auth/v1/signup', large), 413, 'request_entity_too_large')
})

const grant = '/auth/v1/token?grant_type=password'
const credentials = { email: person.email, password: PASSWORD }

test('unknown fields are ignored, and the last of duplicate fields counts', async () => {
  const more = {
    phone: '+15145550100',
    gotrue_meta_security: {},
    code_challenge: 'x',

    unknown: [{ x: 1 }],
    is_admin: true,
  }
  assert.equal((await app.visitor.post(grant, { ...credentials, ...more })).status, 200)
  const doubled = `{"email":"a@example.com",${JSON.stringify(credentials).slice(1)}`
  assert.equal((await app.visitor.post(grant, doubled)).status, 200)
})

test('JSON is parsed whatever its content type, unless that is none', async () => {
  const body = JSON.stringify(credentials)
  const statusAs = async (type?: string) => {
    const headers = { 'content-length': String(body.length), ...(type && { 'content-type': type }) }
    return (await rawRequest(app.url, grant, { method: 'POST', headers, body })).status
  }
  for (const type of ['application/json;charset=UTF-8', 'text/plain', 'application/x-www-form-urlencoded', 'x/y'])
    assert.equal(await statusAs(type), 200, type)
  assert.equal(await statusAs(), 200)
  assert.equal(await statusAs('nonsense'), 400)
})

test('invalid UTF-8 is refused', async () => {
  const response = await fetch(app.url + grant, {
    method: 'POST',
    body: Buffer.concat([Buffer.from('{"email":"'), Buffer.of(0xc3, 0x28), Buffer.from('"}')]),
  })
  assert.equal(response.status, 400)
  assert.equal(response.headers.get('x-sb-error-code'), 'bad_json')
})

test('what a call lacks, or has too much of, is refused with the code of its reason', async () => {
  const waiting = { email: 'waiting@example.com', password: PASSWORD }
  await confirming.visitor.post('/auth/v1/signup', waiting)
  const email = 'somebody@example.com'
  const invalid: [path: string, body: object][] = [
    ['signup', { email }],
    ['signup', { email: 'nobody', password: PASSWORD }],
    ['signup', { email: 'a@example.com\r\nBcc: b@example.com', password: PASSWORD }],
    ['signup', { email: '\u212Aim@example.com', password: PASSWORD }], // the Kelvin sign, which is no K
    ['signup', { email, password: PASSWORD, data: { full_name: 'x'.repeat(101) } }],
    ['signup', { email, password: PASSWORD, data: { x: 'x'.repeat(5000) } }],
    ['signup', { email, password: PASSWORD, data: { signup_proof: 'x' } }],
    ['token?grant_type=password', {}],
    ['token?grant_type=refresh_token', {}],
    ['recover', {}],
    ['otp', {}],
    ['resend', { email }],
    ['resend', { type: 'recovery', email }],
    ['resend', { type: 'signup' }],
    ['resend', { type: 'email_change', email }],
    ['verify', {}],
    ['verify', { type: 'toString', token_hash: 'x' }],
    ['verify', { type: 'signup' }],
    ['verify', { type: 'signup', token: 'x', token_hash: 'x' }],
    ['verify', { type: 'signup', token: '123456' }],
    ['verify', { type: 'signup', token_hash: 'x', email }],
  ]
  for (const [path, body] of invalid) {
    const { status, body: refusal } = await app.visitor.post(`/auth/v1/${path}`, body)
    assert.deepEqual([status, refusal.error_code], [400, 'validation_failed'], `${path} ${JSON.stringify(body)}`)
  }
  for (const [path, body, status, code] of [
    ['signup', {}, 422, 'anonymous_provider_disabled'],
    ['signup', credentials, 422, 'user_already_exists'], // where addresses confirm themselves
    ['token?grant_type=password', { email, password: PASSWORD }, 400, 'invalid_credentials'],
    ['token?grant_type=password', { ...credentials, password: 'Wrong-horse-7' }, 400, 'invalid_credentials'],
    ['token?grant_type=password', waiting, 400, 'email_not_confirmed'],
    ['token?grant_type=password', { ...waiting, password: 'Wrong-horse-7' }, 400, 'invalid_credentials'],
    ['token', {}, 400, 'invalid_credentials'],
    ['verify', { type: 'email_change', token_hash: 'x' }, 403, 'otp_expired'], // a type of link we do not send
  ] as const) {
    assertRefused(await app.visitor.post(`/auth/v1/${path}`, body), status, code)
  }
  assertRefused(await person.put('/auth/v1/user', { email }), 400, 'validation_failed')
})

// Envelopes, headers, CORS, methods and server errors (auth-protocol §1.0, §2.1).

const SITE = 'http://platenote.test'

// --- the two envelopes

const weak = (headers: Record<string, string>) =>
  app.visitor.post('/auth/v1/signup', { email: 'a@example.com', password: 'abc' }, headers)
const MESSAGE = 'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.'
const weak_password = { reasons: ['length', 'characters', 'pwned'] }

test('X-Supabase-Api-Version chooses the envelope: the newer since 2024, the older for any other', async () => {
  for (const version of [undefined, '2023-12-31', 'latest', '2024-13-01', '2024-01-01', '2026-12-31']) {
    const response = await weak(version === undefined ? {} : { 'x-supabase-api-version': version })
    const isNewer = version === '2024-01-01' || version === '2026-12-31'
    assert.equal(response.status, 422)
    const expected = isNewer
      ? { code: 'weak_password', message: MESSAGE, weak_password }
      : { code: 422, error_code: 'weak_password', msg: MESSAGE, weak_password }
    assert.deepEqual(response.body, expected, version)
    assert.equal(response.headers.get('x-supabase-api-version'), isNewer ? '2024-01-01' : null)
    assert.equal(response.headers.get('x-sb-error-code'), 'weak_password')
  }
})

const NEWER = { 'x-supabase-api-version': '2024-01-01' }

// --- bearer tokens, in the order of the table

test('the scheme of a bearer token may be in any case, and what is no bearer token is none', async () => {
  const statusOf = async (authorization: string) => (await app.visitor.get('/auth/v1/user', { authorization })).status
  assert.equal(await statusOf(`bEARER ${person.token}`), 200)
  for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Token x', `Bearer${person.token}`])
    assert.equal(await statusOf(authorization), 401, authorization)
  const cookie = `access_token=${person.token}`
  assertRefused(
    await app.visitor.get(`/auth/v1/user?access_token=${person.token}`, { cookie }),
    401,
    'no_authorization',
  )
})

test('a bearer token is checked before the body is read', async () => {
  assertRefused(await app.visitor.put('/auth/v1/user', '{'), 401, 'no_authorization')
  assertRefused(await app.withToken('x').put('/auth/v1/user', '{'), 403, 'bad_jwt')
})

// --- preflights; which methods a path has is in the matrix

test('a path answers a preflight without a bearer token', async () => {
  for (const [path, ...taken] of [
    ['/token', 'POST'],
    ['/user', 'GET', 'PUT'],
  ] as const) {
    const requested = 'apikey,authorization,content-type,x-client-info,x-supabase-api-version'
    const { status, headers, text } = await rawRequest(app.url, `/auth/v1${path}`, {
      method: 'OPTIONS',
      headers: { origin: SITE, 'access-control-request-method': taken[0], 'access-control-request-headers': requested },
    })
    assert.deepEqual([status, text, headers['access-control-allow-origin']], [204, '', SITE])
    const allowed = (what: string) => String(headers[`access-control-allow-${what}`]).split(', ')
    for (const method of taken) assert.ok(allowed('methods').includes(method), method)
    for (const name of requested.split(',')) assert.ok(allowed('headers').includes(name), name)
    assert.equal(headers['access-control-allow-credentials'], undefined)
  }
})

// --- headers of all responses

test('no response is cached, and only our pages can read them', async () => {
  const credentials = { email: person.email, password: PASSWORD }
  for (const response of [
    await app.visitor.post('/auth/v1/token?grant_type=password', credentials),
    await app.visitor.post('/auth/v1/recover', '{'),
    await app.visitor.get('/auth/v1/nothing'),
    await app.visitor.get('/auth/v1/verify?token=x&type=signup'),
  ]) {
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('access-control-allow-origin'), SITE)
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
    for (const name of ['X-Supabase-Api-Version', 'X-Total-Count', 'Link', 'Retry-After']) {
      assert.ok(exposed?.includes(name), name)
    }
    assert.equal(response.headers.get('set-cookie'), null)
  }
})

// --- server errors: the database itself fails, with its own error code

await app.db.unsafe(`
  create function fail_on_purpose() returns trigger language plpgsql as $$
  begin
    raise exception 'a secret of the database' using errcode = upper(split_part(new.email, '@', 1));
  end $$;
  create trigger fail_on_purpose before insert on auth.link_request_queue
    for each row when (new.email like '%@failing.example.com') execute function fail_on_purpose()`)

for (const [what, state, status, code] of [
  ['a lock that was not granted in time', '55P03', 409, 'conflict'],
  ['a statement that took too long', '57014', 504, 'request_timeout'],
  ['any other failure', 'XX000', 500, 'unexpected_failure'],
] as const) {
  test(`${what} is reported as ${status} ${code}, without details`, async () => {
    const email = `${state}@failing.example.com`
    const older = await app.visitor.post('/auth/v1/otp', { email, create_user: false })
    assertRefused(older, status, code)
    assert.doesNotMatch(older.text, /secret|failing\.example|link_request_queue/)
    assert.equal('error_id' in older.body, status >= 500)
    if (status >= 500) assert.equal(older.body.error_id, older.headers.get('x-request-id'))
  })
}

test('without its database the server still responds in both envelopes, and a link leads to its page', async () => {
  const away = await testApp({ sibling: app })
  await away.db.end()
  const older = await away.withToken(person.token).get('/auth/v1/user')
  assertRefused(older, 503, 'unexpected_failure')
  assert.ok(Number(older.headers.get('retry-after')) > 0)
  const newer = await away.withToken(person.token).get('/auth/v1/user', NEWER)
  assert.deepEqual([newer.status, newer.body.code], [503, 'unexpected_failure'])
  const { status, page, fragment } = toLinkResult(await away.visitor.get('/auth/v1/verify?token=x&type=recovery'))
  assert.deepEqual([status, page], [303, `${SITE}/reset-password`])
  assert.deepEqual([fragment['error'], fragment['error_code']], ['server_error', 'unexpected_failure'])
  // invalid requests need no database
  assertRefused(await away.visitor.get('/auth/v1/user'), 401, 'no_authorization')
  assertRefused(await away.visitor.post('/auth/v1/recover', '{'), 400, 'bad_json')
  await away.close()
})
