import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, testApp } from '../../../test/app.ts'
import { openLink, toLinkResult, waitForMailedLink } from '../../../test/auth-links.ts'

// Where links lead, and what their fragment contains (auth-protocol §1.9, §1.11; decision mailed-links).

const app = await testApp()

const SITE = 'http://platenote.test'
const OTHER = `${SITE}/verify-email`
const HOME = `${SITE}/reset-password`

/** Requests a recovery and returns where the emailed link leads. */
async function getMailedRedirect(person: Person, query = '', headers: Record<string, string> = {}, body = {}) {
  const earlier = await app.visitor.get(`/dev/mailbox.json?to=${encodeURIComponent(person.email)}`)
  const requested = await app.visitor.post(`/auth/v1/recover${query}`, { email: person.email, ...body }, headers)
  assert.equal(requested.status, 200)
  return (await waitForMailedLink(app, person.email, earlier.body.length + 1)).searchParams.get('redirect_to')
}
const query = (url: string) => `?redirect_to=${encodeURIComponent(url)}`

const person = await app.user()

test('a link leads to the page of its purpose and language, or where it is requested to and may', async () => {
  for (const page of [OTHER, `${SITE}/fr/reset-password`])
    assert.equal(await getMailedRedirect(person, query(page)), page)
  assert.equal(await getMailedRedirect(person), HOME)
  assert.equal(await getMailedRedirect(person, '', { 'accept-language': 'fr-CA' }), `${SITE}/fr/reset-password`)
})

test('an address that is not allowed is silently replaced by our page, whatever else was requested', async () => {
  const evil = 'https://evil.example/'
  assert.equal(await getMailedRedirect(person, '', { redirect_to: evil }), HOME)
  assert.equal(await getMailedRedirect(person, '', { referer: evil }), HOME)
  assert.equal(await getMailedRedirect(person, query(evil), { referer: OTHER }), HOME)
  assert.equal(await getMailedRedirect(person, query(OTHER), { redirect_to: evil }), HOME)
  // a body says nothing about it
  assert.equal(await getMailedRedirect(person, '', {}, { redirect_to: OTHER }), HOME)
})

/** Where an unknown link leads whose address names a page. */
const landingOf = async (redirectTo: string, more = '') => {
  const path = `/auth/v1/verify?token=x&type=recovery&redirect_to=${encodeURIComponent(redirectTo)}${more}`
  return toLinkResult(await app.visitor.get(path)).page
}

test('a link leads to no other address, however alike it looks', async () => {
  for (const redirectTo of [
    `${SITE}/dashboard`,
    `${SITE}/verify-email/`,
    `${SITE}/verify-email?next=x`,
    `${SITE}/verify-email#next=x`,
    `${SITE}/Verify-Email`,
    `${SITE}:81/verify-email`,
    `${SITE}./verify-email`,
    'https://platenote.test/verify-email',
    'http://user@platenote.test/verify-email',
    'http://platenote.test@evil.example/verify-email',
    'http://platenote.test%2eevil.example/verify-email',
    'http://evil.example\\@platenote.test/verify-email',
    'http://evil.example#@platenote.test/verify-email',
    'javascript:alert(1)//platenote.test/verify-email',
    '//platenote.test/verify-email',
    'nonsense',
  ]) {
    assert.equal(await landingOf(redirectTo), HOME, redirectTo)
  }
})

test('an allowed address may be spelled differently, and the browser gets our spelling; the first of two counts', async () => {
  for (const spelt of ['HTTP://PLATENOTE.TEST/verify-email', `${SITE}:80/verify-email`, `${SITE}/x/../verify-email`])
    assert.equal(await landingOf(spelt), OTHER)
  assert.equal(await landingOf(OTHER, '&redirect_to=https://evil.example'), OTHER)
})

// --- fragments

test('a valid link’s fragment is a session, with the keys of the protocol, and the query is empty', async () => {
  const { email } = await app.user()
  await app.visitor.post('/auth/v1/otp', { email, create_user: false })
  const { status, page, fragment, response } = await openLink(app, await waitForMailedLink(app, email))
  assert.deepEqual([status, page, response.text], [303, `${SITE}/verify-email`, ''])
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const { access_token, refresh_token, expires_at, ...rest } = fragment
  assert.deepEqual(rest, { expires_in: '3600', sb: '', token_type: 'bearer', type: 'magiclink' })
  assert.ok(Math.abs(Number(expires_at) - Date.now() / 1000 - 3600) < 600, 'in seconds')
  assert.match(refresh_token ?? '', /^[\w-]{43}$/)
  assert.equal((await app.withToken(access_token ?? '').get('/auth/v1/user')).body.email, email)
})

test('the fragment of a failure says what is wrong', async () => {
  for (const [query, error, error_code, error_description] of [
    ['token=x&type=signup', 'access_denied', 'otp_expired', 'Email link is invalid or has expired'],
    ['token=x&type=x', 'invalid_request', 'validation_failed', 'Verify requires a verification type'],
  ]) {
    const { status, fragment } = toLinkResult(await app.visitor.get(`/auth/v1/verify?${query}`))
    assert.equal(status, 303)
    assert.deepEqual(fragment, { error, error_code, error_description, sb: '' })
  }
})

test('a link that a mail program cut or escaped opens as far as it can be read, and otherwise leads to our page', async () => {
  const reader = await app.user()
  await app.visitor.post('/auth/v1/recover', { email: reader.email })
  const link = await waitForMailedLink(app, reader.email)
  const token = link.searchParams.get('token') ?? ''
  for (const query of [link.search.replaceAll('&', '&amp;'), `?token=${token}`, `?token=${token}&type=rec`]) {
    const { status, fragment } = toLinkResult(await app.visitor.get(`/auth/v1/verify${query}`))
    assert.deepEqual([status, fragment.type], [303, 'recovery'], query)
  }
  for (const query of ['', '?type=recovery', `?token=${token.slice(0, 20)}`, `?token=${token}&type=signup`]) {
    const { status, page, fragment } = toLinkResult(await app.visitor.get(`/auth/v1/verify${query}`))
    assert.deepEqual([status, fragment.error_code], [303, 'otp_expired'], query)
    assert.match(page, /\/(?:verify-email|reset-password)$/)
  }
})
