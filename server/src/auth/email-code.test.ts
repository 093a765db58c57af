import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newEmail, PASSWORD, testApp } from '../test/app.ts'
import { createAuthClient } from '../test/auth-client.ts'
import {
  assertRefused,
  extractCode,
  openLink,
  otherCode,
  waitForMailedCode,
  waitForMailedLink,
} from '../test/auth-links.ts'

// Signing in with six digits from an email, as the unmodified browser client does, and who is kept from guessing them.

const app = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false', LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1' } })

let networks = 0
/** Headers of somebody on a network of their own, so that no test uses up the limits of another. */
const fromElsewhere = () => {
  networks++
  return { 'x-forwarded-for': `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}` }
}
const ask = (email: string, create_user = true) =>
  app.visitor.post('/auth/v1/otp', { email, create_user }, fromElsewhere())
const verify = (email: string, token: string, headers = fromElsewhere(), type = 'email') =>
  app.visitor.post('/auth/v1/verify', { type, email, token }, headers)
const userRow = async (email: string) => (await app.db`select * from auth.users where email = ${email}`)[0]

/** Signs somebody up, without using link or code. */
const signUp = async (email: string, data = {}) => {
  const { status } = await app.visitor.post('/auth/v1/signup', { email, password: PASSWORD, data }, fromElsewhere())
  assert.equal(status, 200)
  return waitForMailedCode(app, email)
}
/** Returns the address of a confirmed account without a password, with its session. */
const join = async () => {
  const email = newEmail()
  await ask(email)
  const { body } = await verify(email, await waitForMailedCode(app, email))
  return { email, session: body }
}

test('auth-js makes an account without a password with a code, and signs in with another, once', async () => {
  const { auth: client } = createAuthClient(app.url)
  const email = newEmail()
  assert.equal((await client.signInWithOtp({ email })).error, null)
  const [mail] = await app.mails(email)
  assert.match(mail!.subject, /^\d{6} is your PlateNote code$/)
  const first = extractCode(mail)
  assert.ok(mail!.text.includes(first) && mail!.html.includes(`>${first}<`))
  const joined = await client.verifyOtp({ email, token: first, type: 'email' })
  assert.equal(joined.error, null)
  assert.ok(joined.data.user?.email_confirmed_at && joined.data.user.last_sign_in_at)
  assert.equal((await userRow(email))!['encrypted_password'], null)
  assert.equal((await client.getUser()).data.user?.email, email)

  await client.signInWithOtp({ email, options: { shouldCreateUser: false } })
  const second = await waitForMailedCode(app, email, 2)
  assert.equal((await client.verifyOtp({ email, token: first, type: 'email' })).error?.code, 'otp_expired')
  const signedIn = await client.verifyOtp({ email, token: second, type: 'magiclink' })
  assert.equal(signedIn.data.user?.id, joined.data.user.id)

  await client.signInWithOtp({ email })
  const third = await waitForMailedCode(app, email, 3)
  const clients = [client, createAuthClient(app.url).auth, createAuthClient(app.url).auth]
  const atOnce = await Promise.all(clients.map((one) => one.verifyOtp({ email, token: third, type: 'email' })))
  const outcomes = atOnce.map(({ error }) => error?.code ?? 'signed in')
  assert.deepEqual(outcomes.toSorted(), ['otp_expired', 'otp_expired', 'signed in'])
  await client.signOut()
})

test('the code and the link of an email use each other up', async () => {
  const byCode = newEmail()
  await ask(byCode)
  const code = await waitForMailedCode(app, byCode)
  const link = await waitForMailedLink(app, byCode)
  const scanner = await openLink(app, link)
  assert.equal((await verify(byCode, code)).status, 200)
  assert.equal((await openLink(app, link)).fragment['error_code'], 'otp_expired')
  const { status } = await app.withToken(scanner.fragment['access_token']!).get('/auth/v1/user')
  assert.equal(status, 403, 'a session of the link that was never used is over')
  assertRefused(await verify(byCode, code), 403, 'otp_expired')

  const byLink = newEmail()
  await ask(byLink)
  const { fragment } = await openLink(app, await waitForMailedLink(app, byLink))
  const person = app.withToken(fragment['access_token']!)
  assert.equal((await person.get('/auth/v1/signup/password')).body.password, 'set', 'no password is asked for')
  assert.equal((await person.put('/auth/v1/user', {})).status, 200)
  assertRefused(await verify(byLink, await waitForMailedCode(app, byLink)), 403, 'otp_expired')
})

test('a code works for ten minutes, the newest alone, for its own address, and for five tries', async () => {
  const [email, other] = [newEmail(), newEmail()]
  for (const address of [email, other]) await ask(address)
  const code = await waitForMailedCode(app, email)
  const theirs = await waitForMailedCode(app, other)
  if (theirs !== code) assertRefused(await verify(other, code), 403, 'otp_expired')
  for (const wrong of [otherCode(code), '', '12345', `${code}0`, 'abcdef']) await verify(other, wrong)
  assertRefused(await verify(other, theirs), 403, 'otp_expired')

  await ask(email)
  const newer = await waitForMailedCode(app, email, 2)
  if (newer !== code) assertRefused(await verify(email, code), 403, 'otp_expired')
  await app.db`update auth.email_codes set expires_at = now() - interval '1 second'`
  assertRefused(await verify(email, newer), 403, 'otp_expired')

  await ask(email)
  const newest = await waitForMailedCode(app, email, 3)
  assertRefused(await verify(email, newest, fromElsewhere(), 'recovery'), 403, 'otp_expired')
  for (let i = 0; i < 3; i++) assertRefused(await verify(email, otherCode(newest)), 403, 'otp_expired')
  assert.equal((await verify(email, newest)).status, 200, 'the fifth try')
  assert.equal((await userRow(email))!['email_confirmed_at'] !== null, true)
})

test('known, unknown, unconfirmed, suspended and malformed addresses are answered alike', async () => {
  const confirmed = (await join()).email
  const suspended = (await join()).email
  const subjectId = randomUUID()
  await app.db`
    insert into subjects (id, person_hash) select ${subjectId}, person_hash from auth.users where email = ${suspended}`
  await app.db`insert into sanctions (id, subject_id, kind) values (${randomUUID()}, ${subjectId}, 'suspend')`
  const unconfirmed = newEmail()
  await signUp(unconfirmed)
  const addresses = { confirmed, suspended, unconfirmed, unknown: newEmail() }
  const post = (path: string, body: object) => app.visitor.post(`/auth/v1/${path}`, body, fromElsewhere())
  const bytes = async (email: string) => {
    const recovered = await post('recover', { email })
    const resent = await post('resend', { email, type: 'signup' })
    const answers = [await ask(email), await ask(email, false), recovered, resent, await verify(email, '000000x')]
    return answers.map(({ status, text, headers }) => [status, text, headers.get('x-sb-error-code')])
  }
  for (const email of Object.values(addresses)) {
    assert.deepEqual(await bytes(email), [
      ...Array.from({ length: 4 }, () => [200, '{}', null]),
      [403, '{"code":403,"error_code":"otp_expired","msg":"Token has expired or is invalid"}', 'otp_expired'],
    ])
  }
  const malformed = await verify('not an address', '123456')
  assertRefused(malformed, 403, 'otp_expired')
})

test('from a hundred networks there are fifty guesses a day at an address, and its person still signs in', async () => {
  const { email, session } = await join()
  const home = fromElsewhere()
  await ask(email, false)
  assert.equal((await verify(email, await waitForMailedCode(app, email, 2), home)).status, 200)

  let judged = 0
  for (let batch = 0; batch < 5; batch++) {
    const responses = await Promise.all(Array.from({ length: 20 }, () => verify(email, 'guess!')))
    judged += responses.filter(({ status }) => status === 403).length
    for (const refused of responses.filter(({ status }) => status !== 403)) {
      assertRefused(refused, 429, 'over_request_rate_limit')
      assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    }
  }
  assert.equal(judged, 50)

  await ask(email, false)
  const code = await waitForMailedCode(app, email, 3)
  assertRefused(await verify(email, code), 429, 'over_request_rate_limit')
  assert.equal((await verify(email, code, home)).status, 200, 'from where they signed in before')
  await ask(email, false)
  const { fragment } = await openLink(app, await waitForMailedLink(app, email, 4))
  assert.equal((await app.withToken(fragment['access_token']!).put('/auth/v1/user', {})).status, 200, 'with the link')
  assert.equal(fragment['type'], 'magiclink')
  assert.equal((await app.withToken(session.access_token).get('/auth/v1/user')).status, 200)
})

test('a network has a hundred wrong codes an hour, at whatever addresses; right ones are not counted', async () => {
  const headers = fromElsewhere()
  const guess = () => verify(newEmail(), 'guess!', headers)
  for (let i = 0; i < 9; i++) await Promise.all(Array.from({ length: 10 }, guess))
  for (let i = 0; i < 3; i++) {
    const email = newEmail()
    await ask(email)
    assert.equal((await verify(email, await waitForMailedCode(app, email), headers)).status, 200)
  }
  const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await guess()).status))
  assert.equal(statuses.filter((status) => status === 403).length, 10)
})
