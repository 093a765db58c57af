import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, testApp } from '../test/app.ts'
import { assertRefused, openLink, postLink, waitForMailedLink } from '../test/auth-links.ts'

const app = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' } })

const signUp = (email: string, more: Record<string, unknown> = {}, headers = {}) =>
  app.visitor.post('/auth/v1/signup', { email, password: PASSWORD, ...more }, headers)
const signIn = (email: string, password = PASSWORD) =>
  app.visitor.post('/auth/v1/token?grant_type=password', { email, password })

test('sign-ups with one address wait side by side, each with its own link and password', async () => {
  await signUp('pair@example.com', { password: 'Attackers-own-1', data: { full_name: 'Mallory' } })
  const older = await waitForMailedLink(app, 'pair@example.com')
  const said = async () => /entered more than once/.test((await app.mails('pair@example.com'))[0]!.text)
  assert.equal(await said(), false)
  await signUp('pair@example.com', { data: { full_name: 'Vic' } })
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
  const { body: first } = await signUp('told@example.com', { data: { full_name: 'First' } })
  await app.db`
    update auth.users set created_at = now() - interval '3 days', recovery_sent_at = now() where email = 'told@example.com'`
  const data = { full_name: 'Second' }
  const { body: fresh } = await signUp('untold@example.com', { data })
  const { status, body } = await signUp('told@example.com', { data })
  assert.deepEqual([status, Object.keys(body).sort()], [200, Object.keys(fresh).sort()])
  assert.notEqual(body.id, first.id)
  assert.deepEqual(
    body.identities.map((identity: { user_id: string }) => identity.user_id),
    [body.id],
  )
  for (const time of [body.created_at, body.updated_at, body.confirmation_sent_at, body.identities[0].created_at]) {
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000, time)
  }
})

test('a sign-up with a confirmed address returns a decoy user without identities, changes nothing and emails nobody', async () => {
  await signUp('taken@example.com', { data: { full_name: 'First' } })
  const { body: fresh } = await signUp('fresh@example.com', { data: { full_name: 'Fresh' } })
  await postLink(app, await waitForMailedLink(app, 'taken@example.com'))
  const known = (await signIn('taken@example.com')).body.user

  const other = { password: 'Other-horse-8', data: { full_name: 'Second' } }
  const { status, body } = await signUp('taken@example.com', other)
  assert.deepEqual([status, body.identities, body.role], [200, [], fresh.role])
  assert.notEqual(body.id, known.id)
  assert.equal(body.user_metadata.full_name, 'Second')
  assert.deepEqual(Object.keys(body).sort(), Object.keys(fresh).sort())
  assertRefused(await signIn('taken@example.com', other.password), 400, 'invalid_credentials')
  assert.equal((await signIn('taken@example.com')).body.user.user_metadata.full_name, 'First')
  assert.equal((await app.mails('taken@example.com')).length, 1)
})

test('the email is in the language of the sign-up, otherwise in that of the browser', async () => {
  await signUp('fr-data@example.com', { data: { locale: 'fr-CA' } })
  await signUp('fr-browser@example.com', {}, { 'accept-language': 'fr-CA,fr;q=0.9,en;q=0.5' })
  await signUp('en-data@example.com', { data: { locale: 'en' } }, { 'accept-language': 'fr' })
  assert.match((await app.mails('fr-data@example.com'))[0]!.subject, / est votre code PlateNote$/)
  assert.match((await app.mails('fr-browser@example.com'))[0]!.subject, / est votre code PlateNote$/)
  assert.match((await app.mails('en-data@example.com'))[0]!.subject, / is your PlateNote code$/)
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
