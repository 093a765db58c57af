import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { TERMS_VERSION } from '#contract/terms.ts'
import { type Caller, newEmail, PASSWORD, testApp } from '../test/app.ts'
import { assertRefused, openLink, postLink, waitForMailedCode, waitForMailedLink } from '../test/auth-links.ts'
import { fieldsOf } from '../test/fields.ts'
import { cleanUpAccounts } from './cleanup.ts'

const app = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' } })

const signUpWith = (email: string, more: Record<string, unknown> = {}, headers = {}) =>
  app.visitor.post('/auth/v1/signup', { email, password: PASSWORD, ...more }, headers)
const signIn = (email: string, password = PASSWORD) =>
  app.visitor.post('/auth/v1/token?grant_type=password', { email, password })

test('sign-ups with one address wait side by side, each with its own link and password', async () => {
  await signUpWith('pair@example.com', { password: 'Attackers-own-1', data: { full_name: 'Mallory' } })
  const older = await waitForMailedLink(app, 'pair@example.com')
  const said = async () => /entered more than once/.test((await app.mails('pair@example.com'))[0]!.text)
  assert.equal(await said(), false)
  await signUpWith('pair@example.com', { data: { full_name: 'Vic' } })
  const newer = await waitForMailedLink(app, 'pair@example.com', 2)
  assert.equal(await said(), true)
  assert.ok((await openLink(app, older)).fragment['access_token'])
  assert.ok((await openLink(app, newer)).fragment['access_token'])

  assert.equal((await postLink(app, newer)).status, 200)
  assertRefused(await postLink(app, older), 403, 'otp_expired')
  assertRefused(await signIn('pair@example.com', 'Attackers-own-1'), 400, 'invalid_credentials')
  const { status, body } = await signIn('pair@example.com')
  assert.equal(status, 200)
  assert.equal(body.user.user_metadata.full_name, 'Vic')
})

test('a sign-up with an address that waits for its link reveals nothing of the one before', async () => {
  const { body: first } = await signUpWith('told@example.com', { data: { full_name: 'First' } })
  await app.db`
    update auth.users set created_at = now() - interval '3 days', recovery_sent_at = now() where email = 'told@example.com'`
  const data = { full_name: 'Second' }
  const { body: fresh } = await signUpWith('untold@example.com', { data })
  const { status, body } = await signUpWith('told@example.com', { data })
  assert.deepEqual([status, Object.keys(body).sort()], [200, Object.keys(fresh).sort()])
  assert.notEqual(body.id, first.id)
  assert.deepEqual(
    body.identities.map((identity: { user_id: string }) => identity.user_id),
    [body.id],
  )
  for (const time of [body.created_at, body.updated_at, body.confirmation_sent_at, body.identities[0].created_at]) {
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 600_000, time)
  }
})

test('a sign-up with a confirmed address returns a decoy user without identities, changes nothing and emails nobody', async () => {
  await signUpWith('taken@example.com', { data: { full_name: 'First' } })
  const { body: fresh } = await signUpWith('fresh@example.com', { data: { full_name: 'Fresh' } })
  await postLink(app, await waitForMailedLink(app, 'taken@example.com'))
  const known = (await signIn('taken@example.com')).body.user

  const other = { password: 'Other-horse-8', data: { full_name: 'Second' } }
  const { status, body } = await signUpWith('taken@example.com', other)
  assert.deepEqual([status, body.identities, body.role], [200, [], fresh.role])
  assert.notEqual(body.id, known.id)
  assert.equal(body.user_metadata.full_name, 'Second')
  assert.deepEqual(Object.keys(body).sort(), Object.keys(fresh).sort())
  assertRefused(await signIn('taken@example.com', other.password), 400, 'invalid_credentials')
  assert.equal((await signIn('taken@example.com')).body.user.user_metadata.full_name, 'First')
  assert.equal((await app.mails('taken@example.com')).length, 1)
})

test('the email is in the language of the sign-up, otherwise in that of the browser', async () => {
  await signUpWith('fr-data@example.com', { data: { locale: 'fr-CA' } })
  await signUpWith('fr-browser@example.com', {}, { 'accept-language': 'fr-CA,fr;q=0.9,en;q=0.5' })
  await signUpWith('en-data@example.com', { data: { locale: 'en' } }, { 'accept-language': 'fr' })
  assert.match((await app.mails('fr-data@example.com'))[0]!.subject, / est votre code PlateNote$/)
  assert.match((await app.mails('fr-browser@example.com'))[0]!.subject, / est votre code PlateNote$/)
  assert.match((await app.mails('en-data@example.com'))[0]!.subject, / is your PlateNote code$/)
  const link = await waitForMailedLink(app, 'fr-browser@example.com')
  assert.equal(link.searchParams.get('redirect_to'), 'http://platenote.test/fr/verify-email')
})

test('the email contains nothing the person typed, who could be a stranger', async () => {
  await signUpWith('spam@example.com', { data: { full_name: 'Win at evil.example' } })
  const [mail] = await app.mails('spam@example.com')
  assert.equal(/evil\.example/.test(mail!.subject + mail!.text + mail!.html), false)
})

test('concurrent sign-ups with one address create one account', async () => {
  const responses = await Promise.all([1, 2, 3, 4].map(() => signUpWith('race@example.com')))
  assert.deepEqual([...new Set(responses.map((a) => a.status))], [200])
  assert.equal((await app.db`select from auth.users where email = 'race@example.com'`).length, 1)
  assert.equal((await app.mails('race@example.com', 4)).length, 4)
})

// A person who clicks a link has the mailbox, but need not have chosen the password of a sign-up (decision mailed-links).

const STRANGERS = 'Attackers-own-1'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Signs up as a browser does that keeps a secret, or without one. */
async function signUp(email: string, password: string, secret?: string) {
  const proof = secret === undefined ? {} : { signup_proof: sha256(secret).toString('hex') }
  const data = { full_name: `Who chose ${password}`, ...proof }
  const response = await app.visitor.post('/auth/v1/signup', { email, password, data })
  assert.equal(response.status, 200, response.text)
  return response
}
/** Opens the newest link to an address, as a browser or a scanner does. */
async function open(email: string, minCount = 1): Promise<Caller> {
  const { fragment } = await openLink(app, await waitForMailedLink(app, email, minCount))
  return app.withToken(fragment['access_token'] ?? assert.fail('the link opens a session'))
}
const keep = (session: Caller, claim: object) => session.post('/auth/v1/signup/password', claim)
const passwordState = async (session: Caller) => (await session.get('/auth/v1/signup/password')).body.password
const isConfirmed = async (email: string) =>
  (await app.db`select from auth.users where email = ${email} and email_confirmed_at is not null`).length === 1
const makeSessionsOlder = (email: string, minutes: number) => app.db`
  update auth.sessions s set created_at = s.created_at - make_interval(mins => ${minutes}),
    amr = jsonb_set(amr, '{0,timestamp}', to_jsonb((amr -> 0 ->> 'timestamp')::int - ${minutes * 60}::int))
  from auth.users u where u.id = s.user_id and u.email = ${email}`

test('the browser that signed up shows its secret, and its password works, even after somebody else opened the link', async () => {
  const [email, secret] = [newEmail(), randomUUID()]
  await signUp(email, PASSWORD, secret)
  await open(email)
  const session = await open(email)
  assert.equal(await passwordState(session), 'waiting')
  const kept = await keep(session, { secret })
  assert.deepEqual([kept.status, kept.text], [204, ''])
  assert.equal(await passwordState(session), 'set')
  const { status, body } = await signIn(email, PASSWORD)
  assert.equal(status, 200)
  assert.equal(body.user.user_metadata.full_name, `Who chose ${PASSWORD}`)
})

test('the secret is never in the metadata, nor in any answer, in whatever form it is sent', async () => {
  for (const form of ['hex', 'base64', 'base64url'] as const) {
    const [email, secret] = [newEmail(), randomUUID()]
    const signup_proof = sha256(secret).toString(form)
    const response = await app.visitor.post('/auth/v1/signup', { email, password: PASSWORD, data: { signup_proof } })
    assert.equal(response.text.includes('signup_proof'), false)
    const session = await open(email)
    assert.equal((await keep(session, { secret })).status, 204)
    const changed = await session.put('/auth/v1/user', { data: { signup_proof: 'x' } })
    assert.equal(changed.text.includes('signup_proof'), false)
  }
})

test('of several sign-ups the secret chooses its own, by whichever link the mailbox was opened', async () => {
  const [email, secret] = [newEmail(), randomUUID()]
  await signUp(email, PASSWORD, secret)
  await app.mails(email)
  await signUp(email, STRANGERS, randomUUID())
  const session = await open(email, 2) // the stranger's link, the newest in the inbox
  assert.equal(await passwordState(session), 'missing')
  assert.equal((await keep(session, { secret })).status, 204)
  assertRefused(await signIn(email, STRANGERS), 400, 'invalid_credentials')
  const { status, body } = await signIn(email, PASSWORD)
  assert.deepEqual([status, body.user.user_metadata.full_name], [200, `Who chose ${PASSWORD}`])
})

test('with several sign-ups nobody’s word is taken: a password has to be chosen', async () => {
  const email = newEmail()
  await signUp(email, PASSWORD)
  await app.mails(email)
  await signUp(email, STRANGERS)
  const session = await open(email, 2)
  assert.equal(await passwordState(session), 'missing')
  assertRefused(await keep(session, { keep: true }), 403, 'otp_expired')
  assert.equal(await isConfirmed(email), true)
  for (const password of [PASSWORD, STRANGERS]) assertRefused(await signIn(email, password), 400, 'invalid_credentials')
  assert.equal((await session.get('/auth/v1/user')).body.user_metadata.full_name, undefined)
})

test('a link that was asked for again while several sign-ups wait brings no password', async () => {
  const email = newEmail()
  await signUp(email, PASSWORD)
  await signUp(email, STRANGERS)
  await app.mails(email, 2)
  await app.visitor.post('/auth/v1/resend', { type: 'signup', email })
  const { status, body } = await postLink(app, await waitForMailedLink(app, email, 3))
  assert.deepEqual([status, typeof body.user.email_confirmed_at], [200, 'string'])
  for (const password of [PASSWORD, STRANGERS]) assertRefused(await signIn(email, password), 400, 'invalid_credentials')
})

test('a wrong secret keeps nothing; the person’s word keeps the password of the only sign-up, once', async () => {
  const email = newEmail()
  await signUp(email, PASSWORD, randomUUID())
  const session = await open(email)
  assertRefused(await keep(session, { secret: randomUUID() }), 403, 'otp_expired')
  assertRefused(await signIn(email, PASSWORD), 400, 'invalid_credentials')
  assert.equal(await passwordState(session), 'waiting')
  const responses = await Promise.all([1, 2, 3].map(() => keep(session, { keep: true })))
  assert.deepEqual(fieldsOf(responses, 'status').sort(), [204, 403, 403])
  const { status, body } = await signIn(email, PASSWORD)
  assert.deepEqual([status, body.user.user_metadata.full_name], [200, `Who chose ${PASSWORD}`])
})

/** How whoever reads the mailbox gets in without a claim to the sign-up that waits there. */
const UNCLAIMED: Record<string, (email: string) => Promise<Caller>> = {
  'with a code': (email) => signInByCode(email, true),
  'with a code that makes no account': (email) => signInByCode(email, false),
  'by the link of the sign-up': (email) => open(email),
  async 'by a recovery link'(email) {
    await app.visitor.post('/auth/v1/recover', { email })
    return open(email, 2)
  },
}
async function signInByCode(email: string, create_user: boolean): Promise<Caller> {
  await app.visitor.post('/auth/v1/otp', { email, create_user })
  const token = await waitForMailedCode(app, email, 2)
  const { body } = await app.visitor.post('/auth/v1/verify', { type: 'email', email, token })
  return app.withToken(body.access_token)
}
for (const [how, enter] of Object.entries(UNCLAIMED))
  test(`a stranger’s sign-up brings nothing to whoever signs in ${how}: no name, data, consent or password`, async () => {
    const email = newEmail()
    const data = { full_name: 'Mallory', title: 'Chief', terms_version: TERMS_VERSION, age_ok: true }
    await app.visitor.post('/auth/v1/signup', { email, password: STRANGERS, data })
    await app.mails(email)
    const session = await enter(email)
    await session.put('/auth/v1/user', {}) // the first use
    const { body } = await session.get('/auth/v1/user')
    const { full_name, title } = body.user_metadata
    assert.deepEqual([body.app_metadata.has_password, full_name, title], [false, undefined, undefined])
    assert.deepEqual(await app.db`select from consents where user_id = ${body.id}`, [])
    assertRefused(await signIn(email, STRANGERS), 400, 'invalid_credentials')
  })

test('the emails of an address that waits are in the language of whoever asked last', async () => {
  const email = newEmail()
  await app.visitor.post('/auth/v1/signup', { email, password: STRANGERS, data: { locale: 'fr-CA' } })
  await app.visitor.post('/auth/v1/resend', { type: 'signup', email })
  assert.match((await app.mails(email, 2))[0]!.subject, /votre code/)
  for (const call of [
    ['recover', { email }],
    ['otp', { email, create_user: false }],
  ] as const) {
    await app.db`update preferences set locale = 'fr-CA' from auth.users u where u.id = user_id and u.email = ${email}`
    const { length } = await app.mails(email)
    await app.visitor.post(`/auth/v1/${call[0]}`, call[1], { 'accept-language': 'en' })
    const [mail] = await app.mails(email, length + 1)
    assert.doesNotMatch(mail!.subject, /votre|mot de passe/)
  }
})

test('after fifteen minutes a password has to be chosen, and the page asks within ten', async () => {
  const [email, secret] = [newEmail(), randomUUID()]
  await signUp(email, PASSWORD, secret)
  const session = await open(email)
  await makeSessionsOlder(email, 11)
  assertRefused(await session.get('/auth/v1/signup/password'), 403, 'otp_expired')
  await makeSessionsOlder(email, 5)
  for (const claim of [{ secret }, { keep: true }]) assertRefused(await keep(session, claim), 403, 'otp_expired')
  assertRefused(await signIn(email, PASSWORD), 400, 'invalid_credentials')
  await cleanUpAccounts(app.db, app.context.keyring)
  assert.equal(
    (await app.db`select from auth.sign_ups s join auth.users u on u.id = s.user_id where u.email = ${email}`).length,
    0,
  )
})

test('no other session may keep a password: of a recovery, of a password, of another account, of nobody', async () => {
  const [email, secret] = [newEmail(), randomUUID()]
  await signUp(email, PASSWORD, secret)
  await app.mails(email)
  const stranger = newEmail()
  await signUp(stranger, STRANGERS)
  await postLink(app, await waitForMailedLink(app, stranger))
  const strangerSession = await app.signIn(stranger, STRANGERS)
  await app.visitor.post('/auth/v1/recover', { email })
  const recovery = await open(email, 2)
  for (const claim of [{ secret }, { keep: true }]) {
    assertRefused(await keep(app.visitor, claim), 401, 'no_authorization')
    assertRefused(await keep(strangerSession, claim), 403, 'otp_expired')
    assertRefused(await keep(recovery, claim), 403, 'otp_expired')
  }
  assertRefused(await strangerSession.get('/auth/v1/signup/password'), 403, 'otp_expired')
  assertRefused(await signIn(email, PASSWORD), 400, 'invalid_credentials')
})
