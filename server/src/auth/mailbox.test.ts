import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newEmail, PASSWORD, testApp } from '../test/app.ts'
import { assertRefused, openLink, waitForMailedLink } from '../test/auth-links.ts'

const app = await testApp({ settings: { LIMIT_SCALE: '1' } })
const mailing = await testApp({ sibling: app, settings: { AUTH_AUTOCONFIRM: 'false', LIMIT_SCALE: '1' } })
after(async () => {
  await mailing.close()
  await app.close()
})

/** Returns different addresses of one mailbox. */
const aliases = (count: number) => {
  const email = newEmail()
  return Array.from({ length: count }, (_, i) => (i === 0 ? email : email.replace('@', `+${i}@`)))
}
const signUp = (on: typeof app, email: string) =>
  on.visitor.post('/auth/v1/signup', { email, password: PASSWORD, data: { full_name: 'Alex Tremblay' } })

test('a mailbox has three accounts: a fourth sign-up is answered like one of an address with an account', async () => {
  const [first, second, third, fourth] = aliases(4) as [string, string, string, string]
  for (const email of [first, second, third]) assert.equal((await signUp(app, email)).status, 200)
  assertRefused(await signUp(app, fourth), 422, 'user_already_exists')

  const response = await signUp(mailing, fourth)
  const known = await signUp(mailing, first)
  assert.equal(response.status, 200)
  assert.deepEqual(response.body.identities, [])
  assert.deepEqual(Object.keys(response.body).sort(), Object.keys(known.body).sort())
  const [stored] = await app.db`select from auth.users where email = ${fourth}`
  assert.equal(stored, undefined)
  assert.equal((await mailing.mails(fourth, 0)).length, 0)
  // other mailboxes are not affected
  assert.equal((await signUp(app, newEmail())).status, 200)
})

test('a mailbox that loses an account has room for another one, and accounts from before do not count', async () => {
  const [first, second, third, fourth, fifth] = aliases(5) as [string, string, string, string, string]
  for (const email of [first, second]) await signUp(app, email)
  const person = await app.user({ email: third })
  assert.equal((await person.post('/functions/v1/delete-user', { id: person.id })).status, 200)
  assert.equal((await signUp(app, fourth)).status, 200)
  assertRefused(await signUp(app, fifth), 422, 'user_already_exists')
  await app.db`update auth.users set person_hash = null where email = ${first}`
  assert.equal((await signUp(app, fifth)).status, 200)
  assert.equal((await app.signIn(first, PASSWORD)).email, first)
})

test('of sign-ups of one mailbox that wait side by side, three links open', async () => {
  const emails = aliases(5)
  for (const email of emails) {
    // an unconfirmed account of its own each, as if they had signed up before any was confirmed
    assert.equal((await signUp(mailing, email)).status, 200)
  }
  const open = async (email: string) => (await openLink(mailing, await waitForMailedLink(mailing, email))).fragment
  const use = (token: string | undefined) => mailing.withToken(token ?? '').put('/auth/v1/user', {})
  // opened while there was room, used when there is none any more, in both ways to use it
  const [early, earlier] = [await open(emails[3]!), await open(emails[4]!)]
  for (const email of emails.slice(0, 3)) {
    assert.equal((await use((await open(email))['access_token'])).status, 200)
  }
  assertRefused(await use(early['access_token']), 403, 'session_not_found')
  const refresh = { refresh_token: earlier['refresh_token'] }
  assertRefused(await mailing.visitor.post('/auth/v1/token?grant_type=refresh_token', refresh), 400, 'session_expired')
  for (const email of emails.slice(3)) assert.equal((await open(email))['error_code'], 'otp_expired')
})
