import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { newEmail, PASSWORD, type Person, type TestResponse, testApp } from '../test/app.ts'
import { assertRefused, postLink, waitForMailedLink } from '../test/auth-links.ts'
import { eventually } from '../test/eventually.ts'

// How accounts are counted; that each limit refuses, and for how long, is in ../limits/retry-after.test.ts.

const app = await testApp({
  settings: { AUTH_AUTOCONFIRM: 'false', LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1' },
})

const from = (ip: string) => ({ 'x-forwarded-for': ip })
const signUp = (email: string, ip = '192.0.2.1') =>
  app.visitor.post('/auth/v1/signup', { email, password: PASSWORD }, from(ip))
const otp = (email: string, ip: string) => app.visitor.post('/auth/v1/otp', { email, create_user: false }, from(ip))
const resend = (email: string, ip: string) => app.visitor.post('/auth/v1/resend', { type: 'signup', email }, from(ip))
const recover = (email: string, ip: string) => app.visitor.post('/auth/v1/recover', { email }, from(ip))

function assertTooSoon(response: TestResponse) {
  assertRefused(response, 429, 'over_email_send_rate_limit')
  const [, seconds] =
    /^For security purposes, you can only request this after (\d+) seconds\.$/.exec(response.body.msg) ?? []
  assert.equal(response.headers.get('retry-after'), seconds)
  assert.ok(Number(seconds) >= 1 && Number(seconds) <= 3700, `${seconds} s`)
}

test('sign-ups and requests to send their email again share one count, recovery has its own', async () => {
  const [email, ip] = ['shared@example.com', '192.0.2.2']
  for (const call of [signUp, otp, resend, signUp, otp]) assert.equal((await call(email, ip)).status, 200)
  for (const call of [signUp, otp, resend]) assertTooSoon(await call(email, ip))
  // who uses up those of one network keeps nobody else from signing up
  assert.equal((await signUp(email, '192.0.2.3')).status, 200)
  for (let i = 0; i < 5; i++) assert.equal((await recover(email, ip)).status, 200)
  assertTooSoon(await recover('SHARED@example.com', ip))
  // emails to unknown addresses are counted too, so a 429 reveals nothing
  for (const request of [otp, recover]) {
    for (let i = 0; i < 5; i++) assert.equal((await request('unknown@example.com', ip)).status, 200)
    assertTooSoon(await request('unknown@example.com', ip))
  }
})

const signUpConfirmed = async (email: string, ip = '192.0.2.30') => {
  assert.equal((await signUp(email, ip)).status, 200)
  assert.equal((await postLink(app, await waitForMailedLink(app, email))).status, 200)
  return app.signIn(email, PASSWORD)
}

test('after ten wrong passwords from one network an address waits on this network only, and a right one begins anew', async () => {
  const { email } = await signUpConfirmed(newEmail())
  const signIn = (password: string, ip: string, to = email) =>
    app.visitor.post('/auth/v1/token?grant_type=password', { email: to, password }, from(ip))
  for (let i = 0; i < 9; i++) assertRefused(await signIn('Wrong-horse-7', '198.51.100.7'), 400, 'invalid_credentials')
  assert.equal((await signIn(PASSWORD, '198.51.100.7')).status, 200)
  for (let i = 0; i < 10; i++) assertRefused(await signIn('Wrong-horse-7', '198.51.100.7'), 400, 'invalid_credentials')
  assertRefused(await signIn('Wrong-horse-7', '198.51.100.7'), 429, 'over_request_rate_limit')
  assertRefused(await signIn('Wrong-horse-7', '198.51.100.8'), 400, 'invalid_credentials')
  assertRefused(await signIn('Wrong-horse-7', '198.51.100.7', 'other@example.com'), 400, 'invalid_credentials')
})

// --- guessing at one account from many networks: the owner is notified, and nobody is locked out

/** The least time an attempt takes while many fail; it may take longer, never less. */
const SLOWED_DOWN_MS = 3_000
const SUBJECT = 'Many failed attempts to log in to your PlateNote account'

let networkCount = 0
/** Returns an address in a network of its own: no two share a /48. */
const newNetwork = () => `2001:db8:${(++networkCount).toString(16)}::1`

const signInFrom = async (email: string, password: string, ip: string) => {
  const start = performance.now()
  const response = await app.visitor.post(
    '/auth/v1/token?grant_type=password',
    { email, password },
    { 'x-forwarded-for': ip },
  )
  return { ...response, tookMs: performance.now() - start }
}
const failFromEverywhere = async (email: string, count: number) => {
  for (let i = 0; i < count; i++) {
    const response = await signInFrom(email, 'Wrong-horse-7', newNetwork())
    assertRefused(response, 400, 'invalid_credentials')
  }
}
const failureMails = async (person: Person) => {
  const mails = await app.mails(person.email, 0)
  return mails.filter(({ subject }) => subject === SUBJECT)
}

test('after 25 failures within an hour the owner gets one email, and attempts from new networks wait', async () => {
  const person = await signUpConfirmed(newEmail())
  const home = newNetwork()
  assert.equal((await signInFrom(person.email, PASSWORD, home)).status, 200)

  await failFromEverywhere(person.email, 24)
  assert.deepEqual(await failureMails(person), [])
  await failFromEverywhere(person.email, 1)
  const [mail] = await eventually(async () => {
    const found = await failureMails(person)
    return found.length > 0 ? found : undefined
  })
  assert.match(mail!.text, /your account isn’t locked/)
  assert.match(mail!.text, /forgot-password/)

  // a guess waits, right or wrong
  const guess = await signInFrom(person.email, 'Wrong-horse-7', newNetwork())
  assertRefused(guess, 400, 'invalid_credentials')
  assert.ok(guess.tookMs >= SLOWED_DOWN_MS, `${guess.tookMs} ms`)
  const elsewhere = await signInFrom(person.email, PASSWORD, newNetwork())
  assert.equal(elsewhere.status, 200)
  assert.ok(elsewhere.tookMs >= SLOWED_DOWN_MS, `${elsewhere.tookMs} ms`)
  // the network the owner signed in from before is not slowed down
  const [row] = await app.db<{ count: number }[]>`
    select count(*)::int as count from outbox where recipient_id = ${person.id} and kind = 'sign_in_failures'`
  assert.equal(row!.count, 1)
  assert.equal((await signInFrom(person.email, PASSWORD, home)).status, 200)
})

test('an address without an account is slowed down alike', async () => {
  const email = 'nobody-here@example.com'
  await failFromEverywhere(email, 25)
  const response = await signInFrom(email, 'Wrong-horse-7', newNetwork())
  assertRefused(response, 400, 'invalid_credentials')
  assert.ok(response.tookMs >= SLOWED_DOWN_MS, `${response.tookMs} ms`)
})

test('counters contain no address in plain text', async () => {
  const rows = await app.db`select key from rate_counters`
  assert.ok(rows.length > 0)
  assert.equal(
    rows.some((row) => /@|192\.0|198\.51|2001:/.test(row['key'])),
    false,
  )
})
