import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type * as z from 'zod/mini'
import { PASSWORD, testApp } from '../../../test/app.ts'
import { assertRefused } from '../../../test/auth-links.ts'
import { rawRequest } from '../../../test/raw-request.ts'
import * as bodies from '../request-input.ts'

// What bodies may contain (auth-protocol §1.0), for every call that has one.

const app = await testApp()
after(() => app.close())
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

for (const [endpoint, { shape }] of Object.entries(BODIES)) {
  test(`${endpoint} accepts fields of their type only`, async () => {
    for (const [field, type] of Object.entries<z.ZodMiniType>(shape)) {
      for (const value of [1, -0.5, true, 'true', 'x', [], ['x'], {}, { x: 1 }]) {
        if (type.safeParse(value).success) continue
        const refused = await call(endpoint, JSON.stringify({ [field]: value }))
        assertRefused(refused, 400, 'bad_json')
        assert.match(refused.body.msg, new RegExp(`: ${field}: Must be .+\\.$`))
      }
    }
  })

  test(`${endpoint} refuses anything but a JSON object, and texts that cannot be stored`, async () => {
    const [field = ''] = Object.keys(shape)
    for (const body of [
      undefined,
      '',
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

const grant = '/auth/v1/token?grant_type=password'
const credentials = { email: person.email, password: PASSWORD }

test('null means absent, unknown fields are ignored, and the last of duplicate fields counts', async () => {
  const more = { phone: null, gotrue_meta_security: {}, code_challenge: null, unknown: [{ x: 1 }], is_admin: true }
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
