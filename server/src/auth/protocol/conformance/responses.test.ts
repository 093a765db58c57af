import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSync } from '@node-rs/argon2'
import { newEmail, PASSWORD, testApp } from '../../../test/app.ts'
import { waitForMailedLink } from '../../../test/auth-links.ts'
import { decodeClaims, decodeHeader } from '../../../test/jwt.ts'

// The form of users, sessions, tokens and service responses, key by key (auth-protocol §1.0, §1.1).

const app = await testApp()

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const ALWAYS = 'id aud role email phone app_metadata user_metadata identities created_at updated_at is_anonymous'.split(
  ' ',
)
const keysOf = (value: object) => Object.keys(value).sort()

// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
function assertUser(user: any, present: string[]) {
  assert.deepEqual(keysOf(user), [...ALWAYS, ...present].sort())
  assert.match(user.id, UUID)
  assert.deepEqual([user.aud, user.role, user.phone, user.is_anonymous], ['authenticated', 'authenticated', '', false])
  const { locale, ...rest } = user.app_metadata
  assert.deepEqual(rest, { provider: 'email', providers: ['email'], has_password: true })
  assert.ok([undefined, 'en', 'fr-CA'].includes(locale), locale) // the account's own language, where there is a session
  assert.equal(user.user_metadata.sub, user.id)
  assert.equal(user.user_metadata.email, user.email)
  assert.equal(user.user_metadata.email_verified, true)
  assert.equal(user.user_metadata.phone_verified, false)
  for (const [key, value] of Object.entries(user))
    if (key.endsWith('_at')) assert.match(String(value), RFC_3339_UTC, key)
}

// --- users

test('every call returns a confirmed user in the same way, with the times of confirmation and sign-in', async () => {
  const person = await app.user()
  const signedIn = await app.visitor.post('/auth/v1/token?grant_type=password', person)
  const got = (await app.withToken(signedIn.body.access_token).get('/auth/v1/user')).body
  assertUser(got, ['email_confirmed_at', 'confirmed_at', 'last_sign_in_at'])
  assert.equal(got.confirmed_at, got.email_confirmed_at)
  const refresh_token = signedIn.body.refresh_token
  const refreshed = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token })
  for (const same of [
    signedIn.body.user,
    refreshed.body.user,
    (await app.withToken(signedIn.body.access_token).put('/auth/v1/user', {})).body,
  ]) {
    assert.deepEqual(same, got)
  }
})

test('signing in with a password weaker than today’s rules works and names the rules', async () => {
  const { id, email } = await app.user()
  const hash = hashSync('abc', { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  await app.db`update auth.users set encrypted_password = ${hash} where id = ${id}`
  const weak = await app.visitor.post('/auth/v1/token?grant_type=password', { email, password: 'abc' })
  const message = 'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.'
  assert.deepEqual(
    [weak.status, weak.body.weak_password],
    [200, { message, reasons: ['length', 'characters', 'pwned'] }],
  )
})

// --- sessions

const someone = await app.user()
await app.visitor.post('/auth/v1/recover', { email: someone.email })
const token_hash = (await waitForMailedLink(app, someone.email)).searchParams.get('token')
const credentials = { email: newEmail(), password: PASSWORD }
const grant = '/auth/v1/token?grant_type='

for (const [what, path, body, method, generation] of [
  ['signing up', '/auth/v1/signup', credentials, 'password', 0],
  ['signing in', `${grant}password`, credentials, 'password', 0],
  ['refreshing', `${grant}refresh_token`, { refresh_token: someone.refreshToken }, 'password', 1],
  ['using a link', '/auth/v1/verify', { type: 'recovery', token_hash }, 'otp', 0],
] as const) {
  test(`a session from ${what} has the keys, times and claims of the protocol`, async () => {
    const session = await app.visitor.post(path, body)
    assert.equal(session.status, 200)
    const { access_token, refresh_token, token_type, expires_in, expires_at, user, ...rest } = session.body
    assert.deepEqual(rest, {})
    assert.deepEqual([token_type, expires_in], ['bearer', 3600])
    assert.ok(Math.abs(expires_at - Date.now() / 1000 - 3600) < 600, 'in seconds')
    assert.match(refresh_token, /^[A-Za-z0-9_-]{43}$/)
    const times = ['email_confirmed_at', 'confirmed_at', 'last_sign_in_at']
    assertUser(user, 'recovery_sent_at' in user ? [...times, 'recovery_sent_at'] : times)
    assert.equal('recovery_sent_at' in user, user.id === someone.id)
    const header = decodeHeader(access_token)
    assert.deepEqual(keysOf(header), ['alg', 'kid', 'typ'])
    assert.deepEqual([header.alg, header.typ], ['HS256', 'JWT'])
    const { session_id, amr, iat, exp, ...others } = decodeClaims(access_token)
    assert.match(session_id, UUID)
    assert.deepEqual([exp, exp - iat], [expires_at, 3600])
    assert.equal(amr.length, 1)
    assert.equal(amr[0].method, method)
    assert.ok(Number.isInteger(amr[0].timestamp) && Math.abs(amr[0].timestamp - iat) < 3600)
    assert.deepEqual(others, {
      iss: 'http://platenote.test/auth/v1',
      sub: user.id,
      aud: 'authenticated',
      email: user.email,
      phone: '',
      app_metadata: user.app_metadata,
      user_metadata: user.user_metadata,
      role: 'authenticated',
      aal: 'aal1',
      generation,
      is_anonymous: false,
    })
  })
}
