import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { PASSWORD, SERVICE_ROLE_KEY, type TestResponse, testApp } from '../../../test/app.ts'
import { assertRefused } from '../../../test/auth-links.ts'
import { ageSessions } from '../../../test/sessions.ts'

// The refusals of the auth protocol, call by call: status, code and text. Bodies that are no bodies
// are in bodies.test.ts; forged tokens in ../session.test.ts.

const app = await testApp({ settings: { SERVICE_ROLE_KEY } })
after(() => app.close())
const confirming = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' }, sibling: app })
after(() => confirming.close())

const person = await app.user()
const waiting = { email: 'waiting@example.com', password: PASSWORD }
await confirming.visitor.post('/auth/v1/signup', waiting)

const EMAIL = 'somebody@example.com'
const PHONE = '+15145550100'
const BOTH = { email: EMAIL, phone: PHONE, password: PASSWORD }
const PKCE = 'PKCE flow requires code_challenge_method and code_challenge'
const NO_ADDRESS = 'Unable to validate email address: invalid format'
const WEAK = 'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.'
const ONE_SIGN_UP = 'Only an email address or phone number should be provided on signup.'
const ONE_LOG_IN = 'Only an email address or phone number should be provided on login.'
const ONE = 'Only an email address or phone number should be provided'
const MISSING_TYPE = 'Missing one of these types: signup, email_change, sms, phone_change'
const NO_TYPE = 'Verify requires a verification type'
const NO_TOKEN = 'Verify requires either a token or a token hash'
const ONE_VERIFY = 'Only an email address or phone number should be provided on verify'
const USED_UP = 'Email link is invalid or has expired'
const NO_CODE = 'Token has expired or is invalid'
const NO_PASSWORD = 'Signup requires a valid password'
const NO_BEARER = 'This endpoint requires a valid Bearer token'
const ADMIN_METADATA = 'Updating app_metadata requires admin privileges'
const HASH_ONLY = 'Only the token_hash and type should be provided'

type Row = readonly [what: string, body: Record<string, unknown>, status: number, code: string, text: string]

const invalid = (what: string, body: Row[1], text: string): Row => [what, body, 400, 'validation_failed', text]
const wrong = (what: string, body: Row[1]): Row => [what, body, 400, 'invalid_credentials', 'Invalid login credentials']
const expired = (what: string, body: Row[1], text: string): Row => [what, body, 403, 'otp_expired', text]

const PASSWORD_GRANT = '/token?grant_type=password'
const REFRESH_GRANT = '/token?grant_type=refresh_token'

const POSTS: Record<string, Row[]> = {
  '/signup': [
    invalid('no password', { email: EMAIL }, NO_PASSWORD),
    ['a weak password', { email: EMAIL, password: 'abc' }, 422, 'weak_password', WEAK],
    invalid(
      '513 bytes in 259 characters',
      { email: EMAIL, password: `Aa1-${'é'.repeat(254)}x` },
      'Password cannot be longer than 512 characters',
    ),
    ['nothing', {}, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
    invalid('address and phone', BOTH, ONE_SIGN_UP),
    invalid('an invalid address', { email: 'nobody', password: PASSWORD }, NO_ADDRESS),
    invalid('two addresses', { email: 'a@example.com,b@example.com', password: PASSWORD }, NO_ADDRESS),
    invalid(
      '256 bytes of address',
      { email: `${'a'.repeat(244)}@example.com`, password: PASSWORD },
      'An email address is too long',
    ),
    invalid('half of PKCE', { email: EMAIL, password: PASSWORD, code_challenge: 'x' }, PKCE),
    [
      'a known address, where addresses confirm themselves',
      { email: person.email, password: PASSWORD },
      422,
      'user_already_exists',
      'User already registered',
    ],
  ],
  [PASSWORD_GRANT]: [
    wrong('an unknown address', { email: EMAIL, password: PASSWORD }),
    wrong('a wrong password', { email: person.email, password: 'Wrong-horse-7' }),
    wrong('an invalid address', { email: 'nobody', password: PASSWORD }),
    ['an unconfirmed account', waiting, 400, 'email_not_confirmed', 'Email not confirmed'],
    wrong('an unconfirmed account’s wrong password', { ...waiting, password: 'Wrong-horse-7' }),
    invalid('nothing', {}, 'missing email or phone'),
    invalid('address and phone', BOTH, ONE_LOG_IN),
  ],
  '/token': [['no grant', {}, 400, 'invalid_credentials', 'unsupported_grant_type']],
  '/token?grant_type=pkce': [
    ['a grant of PKCE', { auth_code: 'x' }, 400, 'invalid_credentials', 'unsupported_grant_type'],
  ],
  [REFRESH_GRANT]: [
    invalid('no token', {}, 'Refresh token is not valid'),
    invalid('an access token', { refresh_token: person.token }, 'Refresh token is not valid'),
    [
      'an unknown token',
      { refresh_token: 'A'.repeat(43) },
      400,
      'refresh_token_not_found',
      'Invalid Refresh Token: Refresh Token Not Found',
    ],
  ],
  '/recover': [
    invalid('nothing', {}, 'Password recovery requires an email'),
    invalid('an invalid address', { email: 'nobody' }, NO_ADDRESS),
    invalid('half of PKCE', { email: EMAIL, code_challenge_method: 's256' }, PKCE),
  ],
  '/otp': [
    invalid('nothing', {}, 'One of email or phone must be set'),
    invalid('address and phone', { email: EMAIL, phone: PHONE }, ONE),
    invalid(
      'a channel',
      { email: EMAIL, channel: 'sms', create_user: false },
      'Channel should only be specified with Phone OTP',
    ),
  ],
  '/resend': [
    invalid('no type', { email: EMAIL }, MISSING_TYPE),
    invalid('an unknown type', { type: 'recovery', email: EMAIL }, MISSING_TYPE),
    invalid('no address', { type: 'signup' }, 'Type provided requires an email address'),
    invalid('address and phone', { type: 'signup', email: EMAIL, phone: PHONE }, `${ONE}.`),
  ],
  '/verify': [
    invalid('nothing', {}, NO_TYPE),
    invalid('a type of a prototype', { type: 'toString', token_hash: 'x' }, NO_TYPE),
    invalid('no token', { type: 'signup' }, NO_TOKEN),
    invalid('two tokens', { type: 'signup', token: 'x', token_hash: 'x' }, NO_TOKEN),
    invalid('a code without an address', { type: 'signup', token: '123456' }, ONE_VERIFY),
    invalid(
      'a code with address and phone',
      { type: 'signup', token: '123456', email: EMAIL, phone: PHONE },
      ONE_VERIFY,
    ),
    invalid('a hash with an address', { type: 'signup', token_hash: 'x', email: EMAIL }, HASH_ONLY),
    expired('an unknown hash', { type: 'recovery', token_hash: 'x' }, USED_UP),
    expired('a code', { type: 'email', token: '123456', email: person.email }, NO_CODE),
    expired('a code for an unknown address', { type: 'email', token: '123456', email: EMAIL }, NO_CODE),
    expired('a type of link we do not send', { type: 'email_change', token_hash: 'x' }, USED_UP),
  ],
}

function assertRow(response: TestResponse, status: number, code: string, text: string) {
  assertRefused(response, status, code)
  assert.equal(response.body.msg, text)
}

for (const [path, rows] of Object.entries(POSTS)) {
  for (const [what, body, status, code, text] of rows) {
    test(`POST ${path} with ${what} is refused: ${status} ${code}`, async () => {
      assertRow(await app.visitor.post(`/auth/v1${path}`, body), status, code, text)
    })
  }
}

const PUTS: Row[] = [
  ['app_metadata', { app_metadata: { role: 'x' } }, 403, 'not_admin', ADMIN_METADATA],
  ['a weak password', { password: 'abc', current_password: PASSWORD }, 422, 'weak_password', WEAK],
  [
    'the same password',
    { password: PASSWORD, current_password: PASSWORD },
    422,
    'same_password',
    'New password should be different from the old password.',
  ],
  [
    'a password alone',
    { password: 'Another-horse-8' },
    400,
    'current_password_required',
    'Current password is required to set a new password',
  ],
  [
    'another current password',
    { password: 'Another-horse-8', current_password: 'Wrong-horse-7' },
    400,
    'current_password_invalid',
    'Current password is not correct',
  ],
  invalid('an address', { email: EMAIL }, 'Email cannot be changed'),
]
// later than that no session sets a password without the current one
await ageSessions(app, person, 901)
for (const [what, body, status, code, text] of PUTS) {
  test(`PUT /user with ${what} is refused: ${status} ${code}`, async () => {
    assertRow(await person.put('/auth/v1/user', body), status, code, text)
  })
}

const ADMIN = '/auth/v1/admin/users/'
const service = app.withToken(SERVICE_ROLE_KEY)
test('other calls are refused with their texts', async () => {
  assertRow(await app.visitor.get('/auth/v1/user'), 401, 'no_authorization', NO_BEARER)
  const scope = await person.post('/auth/v1/logout?scope=x')
  assertRow(scope, 400, 'validation_failed', 'Unsupported logout scope "x"')
  const tokenless = await app.visitor.get('/auth/v1/verify?type=signup')
  assertRow(tokenless, 400, 'validation_failed', 'Verify requires a token or a token hash')
  assertRow(await app.visitor.get('/auth/v1/verify?token=x'), 400, 'validation_failed', NO_TYPE)
  assertRow(await person.get(ADMIN + person.id), 403, 'not_admin', 'User not allowed')
  assertRow(await service.get(ADMIN + randomUUID()), 404, 'user_not_found', 'User not found')
  assertRow(await service.get(`${ADMIN}me`), 404, 'validation_failed', 'user_id must be an UUID')
})

test('after all of this the person is still signed in, with the same password', async () => {
  assert.equal((await person.get('/auth/v1/user')).body.email, person.email)
  await app.signIn(person.email, PASSWORD)
})
