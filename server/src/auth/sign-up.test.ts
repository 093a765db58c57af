import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD, testApp } from '../test/app.ts'
import { assertRefused, openLink, postLink, waitForMailedLink } from '../test/auth-links.ts'

const app = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' } })
after(() => app.close())

const signUp = (email: string, more: Record<string, unknown> = {}, headers = {}) =>
  app.visitor.post('/auth/v1/signup', { email, password: PASSWORD, ...more }, headers)
const signIn = (email: string, password = PASSWORD) =>
  app.visitor.post('/auth/v1/token?grant_type=password', { email, password })

test('a sign-up returns the unconfirmed user without a session, and emails a link', async () => {
  const { status, body, headers } = await signUp('Ann@Example.com', { data: { full_name: 'Ann Roy' } })
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(body.email, 'ann@example.com')
  assert.equal(body.role, 'authenticated')
  assert.equal(body.phone, '')
  assert.equal(body.user_metadata.full_name, 'Ann Roy')
  assert.equal(body.user_metadata.email_verified, false)
  assert.equal(body.identities.length, 1)
  assert.ok(body.confirmation_sent_at)
  for (const absent of [
    'access_token',
    'email_confirmed_at',
    'confirmed_at',
    'last_sign_in_at',
    'encrypted_password',
  ]) {
    assert.equal(absent in body, false, absent)
  }
  const link = await waitForMailedLink(app, 'ann@example.com')
  assert.equal(link.origin, 'http://platenote.test')
  assert.equal(link.searchParams.get('type'), 'signup')
  assert.equal(link.searchParams.get('redirect_to'), 'http://platenote.test/verify-email')
})

test('before the address is confirmed, only the right password reveals that it is not', async () => {
  await signUp('waiting@example.com')
  assertRefused(await signIn('waiting@example.com'), 400, 'email_not_confirmed')
  assertRefused(await signIn('waiting@example.com', 'Wrong-horse-7'), 400, 'invalid_credentials')
})

test('an app that posts the link’s token confirms the address, and the password of the sign-up works', async () => {
  await signUp('click@example.com', { data: { full_name: 'Clic' } })
  const { status, body } = await postLink(app, await waitForMailedLink(app, 'click@example.com'))
  assert.equal(status, 200)
  const { user } = body
  assert.ok(user.email_confirmed_at && user.confirmed_at && user.last_sign_in_at)
  assert.equal(user.user_metadata.full_name, 'Clic')
  assert.equal(user.user_metadata.email_verified, true)
  assert.equal((await signIn('click@example.com')).status, 200)
})

test('sign-ups with one address wait side by side, each with its own link and password', async () => {
  await signUp('pair@example.com', { password: 'Attackers-own-1', data: { full_name: 'Mallory' } })
  const older = await waitForMailedLink(app, 'pair@example.com')
  await signUp('pair@example.com', { data: { full_name: 'Vic' } })
  const newer = await waitForMailedLink(app, 'pair@example.com', 2)
  assert.ok((await openLink(app, older)).fragment['access_token'])
  assert.ok((await openLink(app, newer)).fragment['access_token'])

  assert.equal((await postLink(app, newer)).status, 200)
  assertRefused(await postLink(app, older), 403, 'otp_expired')
  assertRefused(await signIn('pair@example.com', 'Attackers-own-1'), 400, 'invalid_credentials')
  const { status, body } = await signIn('pair@example.com')
  assert.equal(status, 200)
  assert.equal(body.user.user_metadata.full_name, 'Vic')
})

test('the email of one of several sign-ups says so, in both languages', async () => {
  for (const [email, locale, text] of [
    ['twice-asked@example.com', 'en', /entered more than once, perhaps by someone else/],
    ['deux-fois@example.com', 'fr-CA', /saisie plus d’une fois, peut-être par quelqu’un d’autre/],
  ] as const) {
    await signUp(email, { data: { locale } })
    const [first] = await app.mails(email)
    assert.doesNotMatch(first!.text, text)
    await signUp(email, { password: 'Attackers-own-1', data: { locale } })
    const [second] = await app.mails(email, 2)
    assert.match(second!.text, text)
  }
})

test('a sign-up with an address that waits for its link reveals nothing of the one before', async () => {
  const { body: first } = await signUp('told@example.com', { data: { full_name: 'First' } })
  await app.db`
    update auth.users set created_at = now() - interval '3 days', recovery_sent_at = now() where email = 'told@example.com'`
  const fresh = (await signUp('untold@example.com', { data: { full_name: 'Second' } })).body
  const { status, body } = await signUp('told@example.com', { data: { full_name: 'Second' } })
  assert.equal(status, 200)
  assert.notEqual(body.id, first.id)
  assert.deepEqual(Object.keys(body).sort(), Object.keys(fresh).sort())
  assert.equal(body.identities.length, 1)
  assert.equal(body.identities[0].user_id, body.id)
  for (const time of [body.created_at, body.updated_at, body.confirmation_sent_at, body.identities[0].created_at]) {
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time)
  }
})

test('the password of an unconfirmed sign-up is dropped when the mailbox is verified in another way', async () => {
  await signUp('recovered@example.com', { password: 'Attackers-own-1' })
  await app.mails('recovered@example.com')
  await app.visitor.post('/auth/v1/recover', { email: 'recovered@example.com' })
  const landing = await openLink(app, await waitForMailedLink(app, 'recovered@example.com', 2))
  assert.equal(landing.fragment['type'], 'recovery')
  assert.equal((await app.withToken(landing.fragment['access_token']!).put('/auth/v1/user', {})).status, 200)
  assertRefused(await signIn('recovered@example.com', 'Attackers-own-1'), 400, 'invalid_credentials')
})

test('a sign-up with a confirmed address returns a decoy user without identities, changes nothing and emails nobody', async () => {
  await signUp('taken@example.com', { data: { full_name: 'First' } })
  const fresh = (await signUp('fresh@example.com', { data: { full_name: 'Fresh' } })).body
  await postLink(app, await waitForMailedLink(app, 'taken@example.com'))
  const known = (await signIn('taken@example.com')).body.user

  const { status, body } = await signUp('taken@example.com', {
    password: 'Other-horse-8',
    data: { full_name: 'Second' },
  })
  assert.equal(status, 200)
  assert.deepEqual(body.identities, [])
  assert.notEqual(body.id, known.id)
  assert.equal(body.user_metadata.full_name, 'Second')
  assert.deepEqual(Object.keys(body).sort(), Object.keys(fresh).sort())
  assert.equal(body.role, fresh.role)
  assertRefused(await signIn('taken@example.com', 'Other-horse-8'), 400, 'invalid_credentials')
  assert.equal((await signIn('taken@example.com')).body.user.user_metadata.full_name, 'First')
  assert.equal((await app.mails('taken@example.com')).length, 1)
})

test('nobody becomes an admin by signing up', async () => {
  const data = { is_admin: true, email_verified: true, sub: 'x', full_name: 'Eve' }
  const extra = {
    is_admin: true,
    role: 'service_role',
    email_confirmed_at: '2020-01-01',
    app_metadata: { is_admin: true },
  }
  const { body } = await signUp('eve@example.com', { data, ...extra })
  assert.equal('is_admin' in body.user_metadata, false)
  assert.equal(body.user_metadata.sub, body.id)
  assert.equal(body.user_metadata.email_verified, false)
  assert.equal(body.role, 'authenticated')
  const [row] = await app.db`select is_admin, email_confirmed_at from auth.users where id = ${body.id}`
  assert.deepEqual({ ...row }, { is_admin: false, email_confirmed_at: null })
})

test('the email is in the language of the sign-up, otherwise in that of the browser', async () => {
  await signUp('fr-data@example.com', { data: { locale: 'fr-CA' } })
  await signUp('fr-browser@example.com', {}, { 'accept-language': 'fr-CA,fr;q=0.9,en;q=0.5' })
  await signUp('en-data@example.com', { data: { locale: 'en' } }, { 'accept-language': 'fr' })
  assert.match((await app.mails('fr-data@example.com'))[0]!.subject, /^Confirmez/)
  assert.match((await app.mails('fr-browser@example.com'))[0]!.subject, /^Confirmez/)
  assert.match((await app.mails('en-data@example.com'))[0]!.subject, /^Confirm your/)
  const link = await waitForMailedLink(app, 'fr-browser@example.com')
  assert.equal(link.searchParams.get('redirect_to'), 'http://platenote.test/fr/verify-email')
})

test('the email contains nothing the person typed, who could be a stranger', async () => {
  await signUp('spam@example.com', { data: { full_name: 'Win at evil.example' } })
  const [mail] = await app.mails('spam@example.com')
  assert.equal(/evil\.example/.test(mail!.subject + mail!.text + mail!.html), false)
})

test('concurrent sign-ups with one address create one account', async () => {
  const responses = await Promise.all([1, 2, 3, 4].map(() => signUp('race@example.com')))
  assert.deepEqual([...new Set(responses.map((a) => a.status))], [200])
  assert.equal((await app.db`select from auth.users where email = 'race@example.com'`).length, 1)
  assert.equal((await app.mails('race@example.com', 4)).length, 4)
})

for (const [what, body, status, code] of [
  ['no password', { email: 'a@example.com' }, 400, 'validation_failed'],
  ['an empty password', { email: 'a@example.com', password: '' }, 400, 'validation_failed'],
  ['neither address nor phone', { password: PASSWORD }, 422, 'anonymous_provider_disabled'],
  ['a phone too', { email: 'a@example.com', phone: '+15145550100', password: PASSWORD }, 400, 'validation_failed'],
  ['an invalid address', { email: 'nobody', password: PASSWORD }, 400, 'validation_failed'],
  ['two addresses', { email: 'a@example.com,b@example.com', password: PASSWORD }, 400, 'validation_failed'],
  [
    'a line break in the address',
    { email: 'a@example.com\r\nBcc: b@example.com', password: PASSWORD },
    400,
    'validation_failed',
  ],
  ['an address too long', { email: `${'a'.repeat(250)}@example.com`, password: PASSWORD }, 400, 'validation_failed'],
  ['513 bytes of password', { email: 'a@example.com', password: `Aa1-x${'é'.repeat(254)}` }, 400, 'validation_failed'],
  [
    'a name that is not text',
    { email: 'a@example.com', password: PASSWORD, data: { full_name: 7 } },
    400,
    'validation_failed',
  ],
  [
    'a name of 101 characters',
    { email: 'a@example.com', password: PASSWORD, data: { full_name: 'x'.repeat(101) } },
    400,
    'validation_failed',
  ],
  [
    '5 kB of data',
    { email: 'a@example.com', password: PASSWORD, data: { x: 'x'.repeat(5000) } },
    400,
    'validation_failed',
  ],
  [
    'a proof that is no SHA-256',
    { email: 'a@example.com', password: PASSWORD, data: { signup_proof: 'x' } },
    400,
    'validation_failed',
  ],
  [
    'half of the PKCE pair',
    { email: 'a@example.com', password: PASSWORD, code_challenge: 'x' },
    400,
    'validation_failed',
  ],
] as const) {
  test(`a sign-up with ${what} is refused`, async () => {
    assertRefused(await app.visitor.post('/auth/v1/signup', body), status, code)
  })
}

test('null means absent', async () => {
  const nulls = { code_challenge: null, code_challenge_method: null, phone: null, data: null, gotrue_meta_security: {} }
  assert.equal((await signUp('nulls@example.com', nulls)).status, 200)
})

test('letters that only look like ASCII do not become somebody else’s address', async () => {
  assertRefused(await signUp('\u212Aim@example.com'), 400, 'validation_failed') // the Kelvin sign
})
