import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD, testApp } from '../../test/app.ts'
import { assertRefused } from '../../test/auth-links.ts'

const app = await testApp()
after(() => app.close())

const NEW_ENVELOPE = { 'x-supabase-api-version': '2024-01-01' }

test('errors have the envelope the caller expects', async () => {
  const bad = { email: 'a@example.com', password: 'weak' }
  const older = await app.visitor.post('/auth/v1/signup', bad)
  assertRefused(older, 422, 'weak_password')
  assert.deepEqual(Object.keys(older.body), ['code', 'error_code', 'msg', 'weak_password'])
  assert.equal(older.headers.get('x-supabase-api-version'), null)

  for (const version of ['2024-01-01', '2025-06-30']) {
    const newer = await app.visitor.post('/auth/v1/signup', bad, { 'x-supabase-api-version': version })
    assert.equal(newer.status, 422)
    assert.deepEqual(Object.keys(newer.body), ['code', 'message', 'weak_password'])
    assert.equal(newer.body.code, 'weak_password')
    assert.equal(newer.headers.get('x-supabase-api-version'), '2024-01-01')
    assert.equal(newer.headers.get('x-sb-error-code'), 'weak_password')
  }
  for (const version of ['2023-12-31', 'yesterday', '2024-99-99', '']) {
    const response = await app.visitor.post('/auth/v1/signup', bad, { 'x-supabase-api-version': version })
    assert.equal(response.body.error_code, 'weak_password', version)
  }
})

test('unknown paths and wrong methods are refused in the envelope too', async () => {
  assertRefused(await app.visitor.get('/auth/v1/nothing'), 404, 'not_found')
  assert.equal((await app.visitor.get('/auth/v1/nothing', NEW_ENVELOPE)).body.code, 'not_found')
  const wrong = await app.visitor.get('/auth/v1/token')
  assertRefused(wrong, 405, 'method_not_allowed')
  assert.equal(wrong.headers.get('allow'), 'POST, OPTIONS')
  assertRefused(await app.visitor.delete('/auth/v1/user'), 405, 'method_not_allowed')
  assertRefused(await app.visitor.patch('/auth/v1/signup', {}), 405, 'method_not_allowed')
  assert.equal((await fetch(`${app.url}/auth/v1/user`, { method: 'HEAD' })).status, 405)
})

test('public calls ignore the bearer token, which is the API key of the client', async () => {
  const person = await app.user()
  for (const authorization of ['Bearer sb_publishable_key', 'Bearer x.y.z', 'nonsense']) {
    const headers = { authorization, apikey: 'sb_publishable_key' }
    const body = { email: person.email, password: PASSWORD }
    assert.equal((await app.visitor.post('/auth/v1/token?grant_type=password', body, headers)).status, 200)
  }
})

const post = (body: string, headers = {}) => app.visitor.post('/auth/v1/signup', body, headers)
for (const [what, body] of [
  ['no content', ''],
  ['invalid JSON', '{'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['null', 'null'],
  [
    'endless nesting',
    `{"email":"a@example.com","password":"${PASSWORD}","data":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
  ],
  ['a password that is a number', '{"email":"a@example.com","password":1}'],
  ['an address that is an object', '{"email":{},"password":"x"}'],
  ['data that is a list', '{"email":"a@example.com","password":"Correct-horse-7","data":[]}'],
  ['a NUL', '{"email":"a@example.com","password":"Correct-horse-7","data":{"full_name":"a\\u0000b"}}'],
  ['a NUL in a key', '{"email":"a@example.com","password":"Correct-horse-7","data":{"a\\u0000":1}}'],
  ['half a surrogate pair', '{"email":"a@example.com","password":"Correct-horse-7","data":{"full_name":"\\ud800"}}'],
  ['a prototype', '{"email":"a@example.com","password":"Correct-horse-7","data":{"__proto__":{"is_admin":true}}}'],
  ['even deeper nesting', `{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
] as const) {
  test(`a body with ${what} is refused with bad_json`, async () => {
    const response = await post(body)
    assert.equal(response.status, 400, response.text)
    assert.ok(['bad_json', 'anonymous_provider_disabled'].includes(response.body.error_code))
    assertRefused(response, 400, 'bad_json')
  })
}

test('invalid UTF-8 is refused', async () => {
  const response = await fetch(`${app.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat([
      Buffer.from('{"email":"a@example.com","password":"Correct-horse-7'),
      Buffer.of(0xff),
      Buffer.from('"}'),
    ]),
  })
  assert.equal(response.status, 400)
})

test('a body of more than a megabyte is refused', async () => {
  assertRefused(await post(JSON.stringify({ email: 'x'.repeat(1_100_000) })), 413, 'request_entity_too_large')
})

test('unknown fields are ignored, and the first of duplicate query parameters counts', async () => {
  const person = await app.user()
  const body = { email: person.email, password: PASSWORD, unknown: [1], is_admin: true }
  assert.equal((await app.visitor.post('/auth/v1/token?grant_type=password&grant_type=x', body)).status, 200)
})

test('preflights are answered, and pages of other sites can read nothing', async () => {
  const response = await fetch(`${app.url}/auth/v1/token`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example' },
  })
  assert.equal(response.status, 204)
  assert.equal(response.headers.get('access-control-allow-origin'), 'http://platenote.test')
  assert.match(response.headers.get('access-control-allow-headers') ?? '', /apikey.*x-supabase-api-version/)
  const failed = await app.visitor.get('/auth/v1/user')
  assert.match(failed.headers.get('access-control-expose-headers') ?? '', /X-Supabase-Api-Version/)
})

test('information about the service is public', async () => {
  const settings = (await app.visitor.get('/auth/v1/settings')).body
  assert.equal(settings.external.email, true)
  assert.equal(Object.entries(settings.external).filter(([, on]) => on).length, 1)
  assert.equal(settings.disable_signup, false)
  assert.equal(settings.mailer_autoconfirm, true)
  assert.equal((await app.visitor.get('/auth/v1/health')).body.name, 'GoTrue')
  const jwks = await app.visitor.get('/auth/v1/.well-known/jwks.json')
  assert.deepEqual(jwks.body, { keys: [] })
  assert.equal(jwks.headers.get('cache-control'), 'public, max-age=600')
})

test('where addresses are confirmed automatically a sign-up returns a session, and a second one is refused', async () => {
  const body = { email: 'auto@example.com', password: PASSWORD, data: { full_name: 'Auto' } }
  const first = await app.visitor.post('/auth/v1/signup', body)
  assert.equal(first.body.token_type, 'bearer')
  assert.ok(first.body.user.email_confirmed_at)
  assert.equal((await app.withToken(first.body.access_token).get('/auth/v1/user')).body.id, first.body.user.id)
  assertRefused(await app.visitor.post('/auth/v1/signup', body), 422, 'user_already_exists')
})

test('keys can be changed: tokens of the old key stay valid, new ones have the new key', async () => {
  const person = await app.user()
  const [old] = app.context.jwtSecrets
  const { deriveAuthKeys, deriveNextRefreshToken, verifyAccessToken, rederiveNewest, hashSecret } = await import(
    '../tokens.ts'
  )
  const rotated = deriveAuthKeys(['a new secret with at least 32 chars', old!])
  assert.equal(verifyAccessToken(rotated, person.token, Date.now() / 1000).state, 'good')
  assert.equal(
    verifyAccessToken(deriveAuthKeys(['a new secret with at least 32 chars']), person.token, 0).state,
    'unreadable',
  )
  const child = deriveNextRefreshToken(deriveAuthKeys([old!]), hashSecret(person.refreshToken))
  assert.equal(rederiveNewest(rotated, person.refreshToken, hashSecret(child), 1), child)
})
