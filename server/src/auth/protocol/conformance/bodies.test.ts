import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD, testApp } from '../../../test/app.ts'
import { assertRefused } from '../../../test/auth-links.ts'
import { rawRequest } from '../../../test/raw-request.ts'

// What bodies may contain (auth-protocol §1.0), for every call that has one.

const app = await testApp()
after(() => app.close())
const person = await app.user()

/** The typed fields of each call. */
const FIELDS: Record<string, Record<string, 'text' | 'object' | 'boolean'>> = {
  'POST /signup': { email: 'text', password: 'text', phone: 'text', data: 'object', code_challenge: 'text' },
  'POST /token?grant_type=password': { email: 'text', password: 'text', phone: 'text' },
  'POST /token?grant_type=refresh_token': { refresh_token: 'text' },
  'POST /otp': { email: 'text', phone: 'text', channel: 'text', create_user: 'boolean' },
  'POST /resend': { type: 'text', email: 'text', phone: 'text' },
  'POST /recover': { email: 'text', code_challenge: 'text', code_challenge_method: 'text' },
  'POST /verify': { type: 'text', token: 'text', token_hash: 'text', email: 'text', phone: 'text' },
  'PUT /user': { email: 'text', password: 'text', current_password: 'text', data: 'object', app_metadata: 'object' },
}
const VALID_VALUES = { text: ['x'], object: [{}], boolean: [true, false] }

const call = (endpoint: string, body: string) => {
  const [method, path] = endpoint.split(' ')
  return person[method === 'PUT' ? 'put' : 'post'](`/auth/v1${path}`, body)
}

for (const [endpoint, fields] of Object.entries(FIELDS)) {
  test(`${endpoint} accepts fields of their type only`, async () => {
    for (const [field, type] of Object.entries(fields)) {
      const others = [1, -0.5, true, 'true', 'x', [], ['x'], {}, { x: 1 }].filter(
        (value) => !VALID_VALUES[type].some((valid) => typeof valid === typeof value && Array.isArray(value) === false),
      )
      for (const value of others) {
        const refused = await call(endpoint, JSON.stringify({ [field]: value }))
        assertRefused(refused, 400, 'bad_json')
        assert.match(refused.body.msg, new RegExp(`: ${field}: Must be .+\\.$`))
      }
    }
  })

  test(`${endpoint} refuses anything but a JSON object, and texts that cannot be stored`, async () => {
    const [field = ''] = Object.keys(fields)
    for (const body of [
      ' ',
      '{',
      '{"a":1,}',
      '[]',
      '[{}]',
      '"x"',
      'null',
      '7',
      'email=a%40example.com',
      `{"${field}":"a\\u0000b"}`,
      `{"${field}":"\\ud800"}`,
      `{"${field}":"\\udc00x"}`,
      '{"__proto__":{"x":1}}',
      '{"unknown":{"__proto__":{"x":1}}}',
      `{"unknown":${'['.repeat(100)}${']'.repeat(100)}}`,
      `{"unknown":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    ]) {
      assertRefused(await call(endpoint, body), 400, 'bad_json')
    }
  })

  test(`${endpoint} refuses more than a megabyte`, async () => {
    const body = `{"unknown":"${'x'.repeat(1024 * 1024)}"}`
    assertRefused(await call(endpoint, body), 413, 'request_entity_too_large')
  })
}

test('PUT /user without a body, or with an empty one, is refused', async () => {
  assertRefused(await person.put('/auth/v1/user'), 400, 'bad_json')
  assertRefused(await person.put('/auth/v1/user', ''), 400, 'bad_json')
})

const grant = '/auth/v1/token?grant_type=password'
const credentials = { email: person.email, password: PASSWORD }

test('null means absent, unknown fields are ignored, and the last of duplicate fields counts', async () => {
  const more = { phone: null, gotrue_meta_security: {}, code_challenge: null, unknown: [{ x: 1 }], is_admin: true }
  assert.equal((await app.visitor.post(grant, { ...credentials, ...more })).status, 200)
  const doubled = `{"email":"a@example.com",${JSON.stringify(credentials).slice(1)}`
  assert.equal((await app.visitor.post(grant, doubled)).status, 200)
})

for (const type of [
  'application/json;charset=UTF-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'x/y',
  undefined,
]) {
  test(`JSON is parsed whatever its content type: ${type ?? 'no content type'}`, async () => {
    const body = JSON.stringify(credentials)
    const headers = { 'content-length': String(body.length), ...(type && { 'content-type': type }) }
    assert.equal((await rawRequest(app.url, grant, { method: 'POST', headers, body })).status, 200)
  })
}

test('an invalid content type is refused as bad JSON', async () => {
  const body = JSON.stringify(credentials)
  const response = await rawRequest(app.url, grant, { method: 'POST', headers: { 'content-type': 'nonsense' }, body })
  assert.equal(response.status, 400)
  assert.equal(response.headers['x-sb-error-code'], 'bad_json')
})

test('invalid UTF-8 is refused', async () => {
  const response = await fetch(app.url + grant, {
    method: 'POST',
    body: Buffer.concat([Buffer.from('{"email":"'), Buffer.of(0xc3, 0x28), Buffer.from('"}')]),
  })
  assert.equal(response.status, 400)
  assert.equal(response.headers.get('x-sb-error-code'), 'bad_json')
})

test('no query causes a server error', async () => {
  for (const value of ['%00', '%ff', '%', '%ud800', encodeURIComponent('"><script>'), 'x'.repeat(6000)]) {
    for (const path of [`verify?token=${value}&type=signup`, `verify?token=x&type=${value}`]) {
      const { status } = await app.visitor.get(`/auth/v1/${path}`)
      assert.equal(status, 303, path.slice(0, 60))
    }
    assertRefused(await person.post(`/auth/v1/logout?scope=${value}`), 400, 'validation_failed')
    assertRefused(await app.visitor.post(`/auth/v1/token?grant_type=${value}`, {}), 400, 'invalid_credentials')
  }
})
