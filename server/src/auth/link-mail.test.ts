import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { LeasedMail } from '../email/mail-content.ts'
import { testApp } from '../test/app.ts'
import { cleanUpAccounts } from './cleanup.ts'
import { renderAuthLink } from './link-mail.ts'
import { type LinkPurpose, replaceLinkRequest } from './link-queries.ts'
import { hashSecret } from './tokens.ts'

const app = await testApp()
after(() => app.close())

const requestLinkMail = async (
  purpose: Exclude<LinkPurpose, 'signup'>,
  locale: 'en' | 'fr-CA',
): Promise<LeasedMail> => {
  const { id, email } = await app.user()
  const refId = randomUUID()
  const redirect_to = 'http://platenote.test/reset-password'
  await replaceLinkRequest(app.db, { id: refId, user_id: id, purpose, sign_up_id: null, redirect_to })
  const preferences = { email_messages: true, email_message_text: true }
  return { id: randomUUID(), kind: 'auth_link', refId, recipientId: id, to: email, locale, preferences, data: {} }
}
const getButtonUrl = (content: Awaited<ReturnType<typeof renderAuthLink>>) => {
  const button = content?.blocks.find((block) => block.kind === 'button')
  assert.ok(button?.kind === 'button')
  return new URL(button.url)
}

test('each email states its purpose, how long the link is valid and why it was sent, in the person’s language', async () => {
  const texts = async (purpose: 'magiclink' | 'recovery', locale: 'en' | 'fr-CA') =>
    JSON.stringify(await renderAuthLink(app.context, await requestLinkMail(purpose, locale)))
  assert.match(
    await texts('recovery', 'en'),
    /Reset your PlateNote password.*You’re receiving this email because.*for 15 minutes/,
  )
  assert.match(
    await texts('recovery', 'fr-CA'),
    /Réinitialisez votre mot de passe.*Vous recevez ce courriel parce.*pendant 15 minutes/,
  )
  assert.match(
    await texts('magiclink', 'en'),
    /\d{6} is your PlateNote code.*code works for 10 minutes, the button for/,
  )
  assert.match(
    await texts('magiclink', 'fr-CA'),
    /\d{6} est votre code PlateNote.*pendant 10 minutes, le bouton pendant/,
  )
})

test('the link is generated when the email is rendered, only its hash is stored, and a retry generates another', async () => {
  const mail = await requestLinkMail('recovery', 'en')
  const [first, second] = [
    getButtonUrl(await renderAuthLink(app.context, mail)),
    getButtonUrl(await renderAuthLink(app.context, mail)),
  ]
  assert.equal(first.origin + first.pathname, 'http://platenote.test/auth/v1/verify')
  const tokens = [first, second].map((url) => url.searchParams.get('token')!)
  assert.notEqual(tokens[0], tokens[1])
  const rows = await app.db`select token_hash from auth.one_time_tokens where request_id = ${mail.refId}`
  const stored = new Set(rows.map((row) => row['token_hash'].toString('hex')))
  assert.deepEqual(stored, new Set(tokens.map((token) => hashSecret(token).toString('hex'))))
})

test('the cleanup deletes what is no longer of use, and nothing else', async () => {
  const person = await app.user()
  const mail = await requestLinkMail('recovery', 'en')
  const link = getButtonUrl(await renderAuthLink(app.context, mail))
  await cleanUpAccounts(app.db, app.context.keyring)
  assert.equal((await person.get('/auth/v1/user')).status, 200)
  assert.equal((await app.db`select from auth.one_time_tokens where request_id = ${mail.refId}`).length, 1)

  await app.db`update auth.one_time_tokens set expires_at = now() - interval '1 second'`
  await app.db`update auth.link_requests set created_at = now() - interval '15 days'`
  await cleanUpAccounts(app.db, app.context.keyring)
  assert.equal((await app.db`select from auth.link_requests`).length, 0)
  assert.equal((await app.visitor.get(link.pathname + link.search)).status, 303)
  assert.equal((await person.get('/auth/v1/user')).status, 200)
})
