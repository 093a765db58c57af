import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD, testApp } from '../test/app.ts'
import { assertRefused, openLink, postLink, waitForMailedLink } from '../test/auth-links.ts'

const app = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' } })
after(() => app.close())

const signUpAndGetLink = async (email: string) => {
  await app.visitor.post('/auth/v1/signup', { email, password: PASSWORD })
  return waitForMailedLink(app, email)
}
const signUpConfirmed = async (email: string) => {
  assert.equal((await postLink(app, await signUpAndGetLink(email))).status, 200)
  return app.signIn(email, PASSWORD)
}
/** Uses a session, and with it the link it came from. */
const writeWith = (token: string | undefined) => app.withToken(token ?? '').put('/auth/v1/user', {})
const getUserWith = (token: string | undefined) => app.withToken(token ?? '').get('/auth/v1/user')

test('a scanner that opens the link first does not consume it: the person’s click replaces the scanner’s session', async () => {
  const link = await signUpAndGetLink('scanned@example.com')
  const scanner = await openLink(app, link)
  const person = await openLink(app, link)
  assert.ok(person.fragment['access_token'])
  assert.equal((await getUserWith(person.fragment['access_token'])).status, 200)
  assertRefused(await getUserWith(scanner.fragment['access_token']), 403, 'session_not_found')
})

/** Everything a link could have changed: what the tables hold, apart from the session that was opened and its token. */
const checksum = async () => {
  const [row] = await app.db`
    select (select md5(string_agg(u::text, '' order by u.id)) from auth.users u) as users,
      (select md5(string_agg(s::text, '' order by s.id)) from auth.sign_ups s) as sign_ups,
      (select md5(string_agg(r::text, '' order by r.id)) from auth.link_requests r) as requests,
      (select md5(string_agg(t::text, '' order by t.token_hash)) from auth.one_time_tokens t) as tokens`
  return { ...row }
}

test('opening a link changes nothing, and neither does what its page reads: a scanner that runs scripts does both', async () => {
  const signUpLink = await signUpAndGetLink('looked@example.com')
  const { email } = await signUpConfirmed('looked-too@example.com')
  await app.visitor.post('/auth/v1/recover', { email })
  const recoveryLink = await waitForMailedLink(app, email, 2)
  const before = await checksum()
  for (const link of [signUpLink, recoveryLink]) {
    const { fragment } = await openLink(app, link)
    const session = app.withToken(fragment['access_token']!)
    for (const path of ['/auth/v1/user', '/auth/v1/signup/password']) {
      assert.equal((await session.get(path)).status, 200, path)
    }
    // to decline is not to use
    assert.equal((await session.post('/auth/v1/logout?scope=local')).status, 204)
  }
  assert.deepEqual(await checksum(), before)
  for (const link of [signUpLink, recoveryLink]) {
    const { fragment } = await openLink(app, link)
    assert.equal((await writeWith(fragment['access_token'])).status, 200)
    assert.equal((await openLink(app, link)).fragment['error_code'], 'otp_expired')
  }
})

test('a refresh counts as a use, and so does any call of the product, also one that reads or is refused', async () => {
  const refreshed = await signUpAndGetLink('refreshed@example.com')
  const { fragment } = await openLink(app, refreshed)
  await app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: fragment['refresh_token'] })
  assert.equal((await openLink(app, refreshed)).fragment['error_code'], 'otp_expired')

  const called = await signUpAndGetLink('called@example.com')
  const landing = await openLink(app, called)
  const session = app.withToken(landing.fragment['access_token']!)
  assert.equal((await session.patch('/api/preferences', { locale: 'fr-CA' })).status, 200)
  assert.equal((await openLink(app, called)).fragment['error_code'], 'otp_expired')
  const { body } = await session.get('/auth/v1/user')
  assert.ok(body.email_confirmed_at && body.last_sign_in_at)

  const { email } = await signUpConfirmed('read@example.com')
  for (const [i, [path, expected]] of (
    [
      ['/api/messages', 200],
      ['/api/vehicles', 200],
      ['/api/notifications/unread-count', 200],
      ['/api/admin/audit-log', 403],
      ['/auth/v1/admin/users/1', 403],
    ] as const
  ).entries()) {
    await app.visitor.post('/auth/v1/recover', { email })
    const link = await waitForMailedLink(app, email, i + 2)
    const reader = app.withToken((await openLink(app, link)).fragment['access_token']!)
    assert.equal((await reader.get(path)).status, expected, path)
    assert.equal((await openLink(app, link)).fragment['error_code'], 'otp_expired', path)
    const sessions = (await reader.get('/api/sessions')).body.items as { current: boolean }[]
    assert.equal(sessions.filter(({ current }) => current).length, 1, path)
  }
})

test('the first use may be several concurrent calls', async () => {
  const { fragment } = await openLink(app, await signUpAndGetLink('at-once@example.com'))
  const responses = await Promise.all([1, 2, 3, 4, 5].map(() => writeWith(fragment['access_token'])))
  assert.deepEqual(
    responses.map((a) => a.status),
    [200, 200, 200, 200, 200],
  )
})

test('POST with the token consumes the link immediately, and of concurrent ones one wins', async () => {
  const token_hash = (await signUpAndGetLink('post@example.com')).searchParams.get('token')
  const verify = () => app.visitor.post('/auth/v1/verify', { type: 'email', token_hash })
  const responses = await Promise.all([verify(), verify(), verify()])
  assert.deepEqual(
    responses.map((a) => a.status).sort((a, b) => a - b),
    [200, 403, 403],
  )
  assertRefused(await verify(), 403, 'otp_expired')
  const session = responses.find((a) => a.status === 200)!.body
  assert.equal((await getUserWith(session.access_token)).body.email, 'post@example.com')
})

test('a link cannot be used for another purpose', async () => {
  const link = await signUpAndGetLink('purpose@example.com')
  link.searchParams.set('type', 'recovery')
  assert.equal((await openLink(app, link)).fragment['error_code'], 'otp_expired')
  const token_hash = link.searchParams.get('token')
  assertRefused(await app.visitor.post('/auth/v1/verify', { type: 'magiclink', token_hash }), 403, 'otp_expired')
  const [row] = await app.db`select email_confirmed_at from auth.users where email = 'purpose@example.com'`
  assert.equal(row!['email_confirmed_at'], null)
})

test('an expired link opens no session', async () => {
  const link = await signUpAndGetLink('expired@example.com')
  await app.db`update auth.one_time_tokens set expires_at = now() - interval '1 second'
    where request_id in (select r.id from auth.link_requests r join auth.users u on u.id = r.user_id where u.email = 'expired@example.com')`
  assert.equal((await openLink(app, link)).fragment['error_code'], 'otp_expired')
})

test('the Host header and forwarded headers do not influence links', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  await app.visitor.post(
    '/auth/v1/signup?redirect_to=https://evil.example/verify-email',
    { email: 'host@example.com', password: PASSWORD },
    headers,
  )
  const link = await waitForMailedLink(app, 'host@example.com')
  assert.equal(link.origin, 'http://platenote.test')
  assert.equal(link.searchParams.get('redirect_to'), 'http://platenote.test/verify-email')
})

test('/otp and /resend email an unconfirmed account a new sign-up link, which revokes the older one', async () => {
  const older = await signUpAndGetLink('again@example.com')
  await app.visitor.post('/auth/v1/otp', { email: 'again@example.com', create_user: false })
  const second = await waitForMailedLink(app, 'again@example.com', 2)
  await app.visitor.post('/auth/v1/resend', { type: 'signup', email: 'again@example.com' })
  const third = await waitForMailedLink(app, 'again@example.com', 3)
  assert.equal(third.searchParams.get('type'), 'signup')
  for (const revoked of [older, second]) {
    assert.equal((await openLink(app, revoked)).fragment['error_code'], 'otp_expired')
  }
  assert.equal((await postLink(app, third)).status, 200)
  await app.signIn('again@example.com', PASSWORD)
})

test('known and unknown addresses get the same responses', async () => {
  const person = await signUpConfirmed('same@example.com')
  for (const [path, more] of [
    ['/auth/v1/otp', { create_user: false }],
    ['/auth/v1/recover', {}],
    ['/auth/v1/resend', { type: 'signup' }],
  ] as const) {
    const known = await app.visitor.post(path, { email: person.email, ...more })
    const unknown = await app.visitor.post(path, { email: 'nobody-here@example.com', ...more })
    assert.deepEqual([known.status, known.text], [200, '{}'])
    assert.deepEqual([unknown.status, unknown.text], [200, '{}'])
  }
  assert.equal(
    (
      await app.db`select from outbox o join auth.users u on u.id = o.recipient_id where u.email = 'nobody-here@example.com'`
    ).length,
    0,
  )
})

test('/otp creates no account where it is not to', async () => {
  const known = 'asked-after@example.com'
  await signUpAndGetLink(known)
  for (const email of ['new@example.com', known]) {
    const { status, text } = await app.visitor.post('/auth/v1/otp', { email, create_user: false })
    assert.deepEqual([status, text], [200, '{}'])
  }
  await waitForMailedLink(app, known, 2) // requests are processed in their order
  assert.equal((await app.db`select from auth.users where email = 'new@example.com'`).length, 0)
  assert.equal((await app.mails('new@example.com', 0)).length, 0)
})

test('the database contains nothing that would open a session', async () => {
  const link = await signUpAndGetLink('at-rest@example.com')
  const token = link.searchParams.get('token')!
  const rows = await app.db`
    select encode(token_hash, 'escape') || encode(token_hash, 'hex') as text from auth.one_time_tokens
    union all select data::text from outbox`
  assert.equal(
    rows.some((row) => String(row['text']).includes(token)),
    false,
  )
})
