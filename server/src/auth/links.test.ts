import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { newEmail, PASSWORD, testApp } from '../test/app.ts'
import { assertRefused, openLink, postLink, waitForMailedCode, waitForMailedLink } from '../test/auth-links.ts'
import { requestChange } from '../test/email-change.ts'
import { withFactor } from '../test/factors.ts'
import { fieldsOf } from '../test/fields.ts'

const app = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' } })

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

/** Everything a link could have changed: what the tables hold, apart from the session that was opened and its token. */
const checksum = async () => {
  const [row] = await app.db`
    select (select md5(string_agg(u::text, '' order by u.id)) from auth.users u) as users,
      (select md5(string_agg(s::text, '' order by s.id)) from auth.sign_ups s) as sign_ups,
      (select md5(string_agg(r::text, '' order by r.id)) from auth.link_requests r) as requests,
      (select md5(string_agg(t::text, '' order by t.token_hash)) from auth.one_time_tokens t) as tokens`
  return { ...row }
}

test('opening a link changes nothing but the session from before, and neither does what its page reads: a scanner does both', async () => {
  const signUpLink = await signUpAndGetLink('looked@example.com')
  const { email } = await signUpConfirmed('looked-too@example.com')
  await app.visitor.post('/auth/v1/recover', { email })
  const recoveryLink = await waitForMailedLink(app, email, 2)
  const before = await checksum()
  for (const link of [signUpLink, recoveryLink]) {
    const earlier = await openLink(app, link)
    const { fragment } = await openLink(app, link)
    assertRefused(await getUserWith(earlier.fragment['access_token']), 403, 'session_not_found')
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
      ['/api/admin/audit-log', 403],
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
  assert.deepEqual(fieldsOf(responses, 'status'), [200, 200, 200, 200, 200])
})

test('POST with the token consumes the link immediately, and of concurrent ones one wins', async () => {
  const token_hash = (await signUpAndGetLink('post@example.com')).searchParams.get('token')
  const verify = () => app.visitor.post('/auth/v1/verify', { type: 'email', token_hash })
  const responses = await Promise.all([verify(), verify(), verify()])
  assert.deepEqual(fieldsOf(responses, 'status').sort(), [200, 403, 403])
  assertRefused(await verify(), 403, 'otp_expired')
  const session = responses.find((a) => a.status === 200)!.body
  assert.equal((await getUserWith(session.access_token)).body.email, 'post@example.com')
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

test('what the database has of accounts and of the queue of emails opens nothing: no password, token, code or secret', async () => {
  const email = newEmail()
  const link = await signUpAndGetLink(email)
  const code = await waitForMailedCode(app, email)
  const person = await signUpConfirmed(newEmail())
  const { current, fresh } = await requestChange(app, person)
  const { secret, refreshToken } = await withFactor(app, person)
  const needles = [PASSWORD, link.searchParams.get('token')!, person.refreshToken, refreshToken, secret]
  needles.push(current.confirm!, current.undo!, fresh.confirm!)
  const tables = await app.db<{ name: string }[]>`
    select format('auth.%I', table_name) as name from information_schema.tables where table_schema = 'auth'`
  const found: string[] = []
  for (const name of [...tables.map((table) => table.name), 'outbox']) {
    for (const { row } of (await app.db.unsafe(`select t::text as row from ${name} t`)) as unknown as {
      row: string
    }[]) {
      for (const needle of needles)
        if (row.includes(needle) || row.includes(Buffer.from(needle).toString('hex'))) found.push(`${name}: ${needle}`)
      if (/email_codes|outbox/.test(name) && new RegExp(`(?<!\\d)${code}(?!\\d)`).test(row)) found.push(`${name}: code`)
      if (/email_codes|outbox/.test(name) && row.includes(email)) found.push(`${name}: address`)
      for (const guessable of [code, email]) // a hash without a key is tried out in no time
        if (row.includes(createHash('sha256').update(guessable).digest('hex'))) found.push(`${name}: hash`)
    }
  }
  assert.ok(tables.length > 10)
  assert.deepEqual(found, [])
})
