import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as z from 'zod/mini'
import { PASSWORD, testApp } from '../../../test/app.ts'
import { assertRefused } from '../../../test/auth-links.ts'
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

test('what a call lacks, or has too much of, is refused with the code of its reason', async () => {
  const waiting = { email: 'waiting@example.com', password: PASSWORD }
  await confirming.visitor.post('/auth/v1/signup', waiting)
  const email = 'somebody@example.com'
  const both = { email, phone: '+15145550100', password: PASSWORD }
  const invalid: [path: string, body: object][] = [
    ['signup', { email }],
    ['signup', both],
    ['signup', { email: 'nobody', password: PASSWORD }],
    ['signup', { email: 'a@example.com\r\nBcc: b@example.com', password: PASSWORD }],
    ['signup', { email: '\u212Aim@example.com', password: PASSWORD }], // the Kelvin sign, which is no K
    ['signup', { email, password: PASSWORD, data: { full_name: 'x'.repeat(101) } }],
    ['signup', { email, password: PASSWORD, data: { x: 'x'.repeat(5000) } }],
    ['signup', { email, password: PASSWORD, data: { signup_proof: 'x' } }],
    ['signup', { email, password: PASSWORD, code_challenge: 'x' }],
    ['token?grant_type=password', {}],
    ['token?grant_type=password', both],
    ['token?grant_type=refresh_token', {}],
    ['recover', {}],
    ['recover', { email, code_challenge_method: 's256' }],
    ['otp', {}],
    ['otp', both],
    ['otp', { email, channel: 'sms', create_user: false }],
    ['resend', { email }],
    ['resend', { type: 'recovery', email }],
    ['resend', { type: 'signup' }],
    ['resend', { ...both, type: 'signup' }],
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
