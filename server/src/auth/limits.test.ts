import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newEmail, PASSWORD, type TestResponse, testApp } from '../test/app.ts'
import { assertRefused, postLink, waitForMailedLink } from '../test/auth-links.ts'

const app = await testApp({
  settings: { AUTH_AUTOCONFIRM: 'false', LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1' },
})
after(() => app.close())

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
  for (let i = 0; i < 5; i++) assert.equal((await recover(email, ip)).status, 200)
  assertTooSoon(await recover('SHARED@example.com', ip))
  // emails to unknown addresses are counted too, so a 429 reveals nothing
  for (const request of [otp, recover]) {
    for (let i = 0; i < 5; i++) assert.equal((await request('unknown@example.com', ip)).status, 200)
    assertTooSoon(await request('unknown@example.com', ip))
  }
})

test('an address gets five emails an hour for each network that asks, and twenty in all', async () => {
  const request = (ip: string) => recover('hourly@example.com', ip)
  for (let network = 1; network <= 4; network++) {
    for (let i = 0; i < 5; i++) assert.equal((await request(`203.0.113.${network}`)).status, 200)
    assertTooSoon(await request(`203.0.113.${network}`))
  }
  assertTooSoon(await request('203.0.113.5'))
  // who uses up those of one network keeps nobody else from signing up
  for (let i = 0; i < 5; i++) assert.equal((await signUp('contested@example.com', '203.0.113.60')).status, 200)
  assertTooSoon(await signUp('contested@example.com', '203.0.113.60'))
  assert.equal((await signUp('contested@example.com', '203.0.113.61')).status, 200)
})

test('a sign-up with a confirmed address says that it has an account, however recent its last email', async () => {
  const email = 'has-one@example.com'
  assert.equal((await signUp(email)).status, 200)
  assert.equal((await postLink(app, await waitForMailedLink(app, email))).status, 200)
  for (let i = 0; i < 3; i++) {
    const { status, body } = await signUp(email)
    assert.deepEqual([status, body.identities], [200, []])
  }
  assert.equal((await recover(email, '192.0.2.1')).status, 200)
  assert.deepEqual((await signUp(email)).body.identities, [])
})

test('after ten wrong passwords from one network, this address has to wait on this network only', async () => {
  const person = 'guess@example.com'
  const attempt = (ip: string, email = person) =>
    app.visitor.post('/auth/v1/token?grant_type=password', { email, password: 'Wrong-horse-7' }, from(ip))
  for (let i = 0; i < 10; i++) assertRefused(await attempt('198.51.100.7'), 400, 'invalid_credentials')
  const refused = await attempt('198.51.100.7')
  assertRefused(refused, 429, 'over_request_rate_limit')
  const seconds = Number(refused.headers.get('retry-after'))
  assert.ok(seconds > 800 && seconds <= 915, `${seconds} s`)
  assertRefused(await attempt('198.51.100.8'), 400, 'invalid_credentials')
  assertRefused(await attempt('198.51.100.7', 'other@example.com'), 400, 'invalid_credentials')
})

test('the right password resets the count of wrong ones', async () => {
  await signUp('clumsy@example.com', '192.0.2.9')
  await app.db`
    update auth.users u set email_confirmed_at = now(), encrypted_password = s.encrypted_password
    from auth.sign_ups s where s.user_id = u.id and u.email = 'clumsy@example.com'`
  const attempt = (password: string) =>
    app.visitor.post('/auth/v1/token?grant_type=password', { email: 'clumsy@example.com', password })
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 6; i++) assertRefused(await attempt('Wrong-horse-7'), 400, 'invalid_credentials')
    assert.equal((await attempt(PASSWORD)).status, 200)
  }
})

test('a network can sign up a hundred times an hour, all at once if need be, and an IPv6 /64 is one network', async () => {
  for (let i = 0; i < 100; i++) {
    const response = await signUp(`many${i}@example.com`, `2001:db8:1:2::${(i + 1).toString(16)}`)
    assert.equal(response.status, 200, response.text)
  }
  const refused = await signUp('many-more@example.com', '2001:db8:1:2:ffff::1')
  assertRefused(refused, 429, 'over_request_rate_limit')
  assert.ok(Number(refused.headers.get('retry-after')) > 300)
  assert.equal((await signUp('many-more@example.com', '2001:db8:1:3::1')).status, 200)
})

test('each address of a mailbox has an account of its own, and all of them are one person to the limits', async () => {
  const signUpConfirmed = async (email: string) => {
    assert.equal((await signUp(email, '192.0.2.30')).status, 200)
    assert.equal((await postLink(app, await waitForMailedLink(app, email))).status, 200)
    return app.signIn(email, PASSWORD)
  }
  const { plate } = await app.vehicle(await signUpConfirmed(newEmail()))
  const email = newEmail()
  const first = await signUpConfirmed(email)
  const send = (who: typeof first) => who.post('/api/messages', { plate, content: 'Your lights are on' })
  assert.equal((await send(first)).status, 201)
  for (const tag of ['a', 'b', 'c', 'd']) {
    assert.equal((await send(await signUpConfirmed(email.replace('@', `+${tag}@`)))).status, 201)
  }
  // five messages a day to one vehicle, whichever account they come from
  assert.equal((await send(await signUpConfirmed(email.replace('@', '+e@')))).status, 429)
  assert.equal((await send(first)).status, 429)
})

test('counters contain no address in plain text', async () => {
  const rows = await app.db`select key from rate_counters`
  assert.ok(rows.length > 0)
  assert.equal(
    rows.some((row) => /@|192\.0|198\.51|2001:/.test(row['key'])),
    false,
  )
})
