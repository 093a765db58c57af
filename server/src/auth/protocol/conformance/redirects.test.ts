import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, testApp } from '../../../test/app.ts'
import { openLink, toLinkResult, waitForMailedLink } from '../../../test/auth-links.ts'

// Where links lead, and what stands in the fragment (auth-protocol §1.9, §1.11; decision 0064).

const EXTRA = 'https://app.platenote.test/landed'
const app = await testApp({ settings: { AUTH_REDIRECT_ALLOW: EXTRA } })
after(() => app.close())

const SITE = 'http://platenote.test'
const HOME = `${SITE}/reset-password`

/** Where the mailed link of a recovery leads that was asked for like this. */
async function getMailedRedirect(person: Person, query = '', headers: Record<string, string> = {}, body = {}) {
  const kept = await app.visitor.get(`/dev/mailbox.json?to=${encodeURIComponent(person.email)}`)
  const asked = await app.visitor.post(`/auth/v1/recover${query}`, { email: person.email, ...body }, headers)
  assert.equal(asked.status, 200)
  return (await waitForMailedLink(app, person.email, kept.body.length + 1)).searchParams.get('redirect_to')
}
const query = (url: string) => `?redirect_to=${encodeURIComponent(url)}`

const person = await app.user()

for (const page of ['/verify-email', '/reset-password', '/fr/verify-email', '/fr/reset-password']) {
  test(`a link leads to our page ${page} when asked to`, async () => {
    assert.equal(await getMailedRedirect(person, query(SITE + page)), SITE + page)
  })
}

test('a link leads to an address the settings allow', async () => {
  assert.equal(await getMailedRedirect(person, query(EXTRA)), EXTRA)
})

test('a link leads to the page of its purpose and language when nobody said so', async () => {
  assert.equal(await getMailedRedirect(person), HOME)
  assert.equal(await getMailedRedirect(person, '', { 'accept-language': 'fr-CA' }), `${SITE}/fr/reset-password`)
})

test('the first of header, query and Referer counts', async () => {
  const [header, referer] = [`${SITE}/fr/verify-email`, `${SITE}/verify-email`]
  assert.equal(await getMailedRedirect(person, query(EXTRA), { redirect_to: header, referer }), header)
  assert.equal(await getMailedRedirect(person, query(EXTRA), { referer }), EXTRA)
  assert.equal(await getMailedRedirect(person, '', { referer }), referer)
})

test('what is not allowed is silently our page, whatever else was said', async () => {
  const evil = 'https://evil.example/'
  assert.equal(await getMailedRedirect(person, '', { redirect_to: evil }), HOME)
  assert.equal(await getMailedRedirect(person, '', { referer: evil }), HOME)
  assert.equal(await getMailedRedirect(person, query(evil), { referer: `${SITE}/verify-email` }), HOME)
  assert.equal(await getMailedRedirect(person, query(EXTRA), { redirect_to: evil }), HOME)
})

test('a body says nothing of where a link leads', async () => {
  assert.equal(await getMailedRedirect(person, '', {}, { redirect_to: EXTRA }), HOME)
})

for (const wish of [
  `${SITE}/`,
  `${SITE}/dashboard`,
  `${SITE}/verify-email/`,
  `${SITE}/verify-email?next=x`,
  `${SITE}/verify-email#next=x`,
  `${SITE}/Verify-Email`,
  `${SITE}:81/verify-email`,
  `${SITE}./verify-email`,
  `https://platenote.test/verify-email`,
  `http://user@platenote.test/verify-email`,
  `http://platenote.test@evil.example/verify-email`,
  `http://platenote.test%2eevil.example/verify-email`,
  `http://evil.example\\@platenote.test/verify-email`,
  `http://evil.example#@platenote.test/verify-email`,
  `http://2130706433/verify-email`,
  `http://127.0.0.1/verify-email`,
  `http://[::1]/verify-email`,
  `${EXTRA}/more`,
  EXTRA.replace('https', 'http'),
  'javascript:alert(1)//platenote.test/verify-email',
  'data:text/html,x',
  '/verify-email',
  '//platenote.test/verify-email',
  'nonsense',
]) {
  test(`a link does not lead to ${wish}`, async () => {
    const { page } = toLinkResult(
      await app.visitor.get(`/auth/v1/verify?token=x&type=recovery&redirect_to=${encodeURIComponent(wish)}`),
    )
    assert.equal(page, HOME)
  })
}

test('an address that only is written differently is the same, and ours is what the browser gets', async () => {
  for (const wish of ['HTTP://PLATENOTE.TEST/verify-email', `${SITE}:80/verify-email`, `${SITE}/x/../verify-email`]) {
    const { page } = toLinkResult(
      await app.visitor.get(`/auth/v1/verify?token=x&type=recovery&redirect_to=${encodeURIComponent(wish)}`),
    )
    assert.equal(page, `${SITE}/verify-email`)
  }
})

test('of two wishes in one query the first counts', async () => {
  const path = `/auth/v1/verify?token=x&type=recovery&redirect_to=${EXTRA}&redirect_to=https://evil.example`
  assert.equal(toLinkResult(await app.visitor.get(path)).page, EXTRA)
})

// --- fragments

test('a good link’s fragment is a session, under the keys of the protocol, and nothing is in the query', async () => {
  const { email } = await app.user()
  await app.visitor.post('/auth/v1/otp', { email, create_user: false })
  const { page, fragment } = await openLink(app, await waitForMailedLink(app, email))
  assert.equal(page, `${SITE}/verify-email`)
  const { access_token, refresh_token, expires_at, ...rest } = fragment
  assert.deepEqual(rest, { expires_in: '3600', sb: '', token_type: 'bearer', type: 'magiclink' })
  assert.ok(Math.abs(Number(expires_at) - Date.now() / 1000 - 3600) < 60, 'in seconds')
  assert.match(refresh_token ?? '', /^[\w-]{43}$/)
  assert.equal((await app.withToken(access_token ?? '').get('/auth/v1/user')).body.email, email)
})

const FAILURES = {
  'a token nobody has': ['token=x&type=signup', 'access_denied', 'otp_expired', 'Email link is invalid or has expired'],
  'a link of a kind we do not send': [
    'token=x&type=invite',
    'access_denied',
    'otp_expired',
    'Email link is invalid or has expired',
  ],
  'a type nobody knows': [
    'token=x&type=x',
    'invalid_request',
    'validation_failed',
    'Verify requires a verification type',
  ],
} as const
for (const [what, [asked, error, error_code, error_description]] of Object.entries(FAILURES)) {
  test(`the fragment of ${what} says ${error_code}`, async () => {
    const { status, fragment } = toLinkResult(await app.visitor.get(`/auth/v1/verify?${asked}`))
    assert.equal(status, 303)
    assert.deepEqual(fragment, { error, error_code, error_description, sb: '' })
  })
}

test('the fragment of a banned account’s link says so', async () => {
  const banned = await app.user()
  await app.visitor.post('/auth/v1/recover', { email: banned.email })
  const link = await waitForMailedLink(app, banned.email)
  await app.db`update auth.users set banned_until = now() + interval '1 hour' where id = ${banned.id}`
  const { fragment } = await openLink(app, link)
  assert.deepEqual(fragment, {
    error: 'access_denied',
    error_code: 'user_banned',
    error_description: 'User is banned',
    sb: '',
  })
})
