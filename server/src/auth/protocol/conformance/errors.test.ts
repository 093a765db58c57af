import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, testApp } from '../../../test/app.ts'
import { assertRefused, toLinkResult } from '../../../test/auth-links.ts'
import { rawRequest } from '../../../test/raw-request.ts'

// Envelopes, headers, CORS, methods and server errors (auth-protocol §1.0, §2.1).

const app = await testApp()
const person = await app.user()

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
    ['/admin/users/1', 'GET', 'DELETE'],
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
  // public information and invalid requests need no database
  assert.equal((await away.visitor.get('/auth/v1/settings')).status, 200)
  assertRefused(await away.visitor.get('/auth/v1/user'), 401, 'no_authorization')
  assertRefused(await away.visitor.post('/auth/v1/recover', '{'), 400, 'bad_json')
  await away.close()
})
