import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'

const KEY = 'a-service-key-of-more-than-32-characters'
const ORIGIN = 'http://platenote.test'
const inbox = await startSmtpInbox({ recipient: (to) => (to.startsWith('refused') ? 550 : undefined) })
after(() => inbox.close())
const app = await testApp({ settings: { SMTP_URL: inbox.url, SERVICE_KEY: KEY } })
const service = app.withToken(KEY)

let recipients = 0
const newRecipient = () => `recipient-${++recipients}@example.com`
const mail = (type: string, to: string, changes: Record<string, unknown> = {}) => ({
  type,
  to,
  plate: 'abcd 123',
  ...(type === 'message' || type === 'reply'
    ? { message: 'Your lights are on.', link: `${ORIGIN}/dashboard/messages` }
    : {}),
  ...(type === 'vehicle-rejected' ? { reason: 'The photo cannot be read.' } : {}),
  ...changes,
})

test('without the key nobody can send them: visitors, admins and callers with another key are refused', async () => {
  const admin = await createAdmin(app)
  await using keyless = await testApp({ sibling: app, settings: { ROLE: 'web' } })
  const others = [`${KEY}x`, KEY.slice(0, -1), ''].map((key) => app.withToken(key))
  for (const caller of [app.visitor, admin, ...others, keyless.withToken(KEY), keyless.withToken('undefined')]) {
    // also with an invalid body: a refused caller does not learn what would be valid
    for (const body of [mail('message', newRecipient()), { type: 'vehicle-deleted' }]) {
      const response = await caller.post('/send-email', body)
      assert.deepEqual([response.status, response.body.code], [403, 'forbidden'])
    }
  }
})

test('an email that lacks something, or whose link leads elsewhere, is refused and not sent', async () => {
  const before = inbox.received.length
  const wrong: [type: string, field: string, value: unknown][] = [
    ['message', 'to', 'nobody'],
    ['message', 'to', 'a@b.ca, c@d.ca'],
    ['message', 'to', 'a@b.ca\r\nBcc: c@d.ca'],
    ['message', 'plate', 'TOOLONG12'],
    ['message', 'message', ' '],
    ['message', 'message', 'x'.repeat(2_001)],
    ['message', 'link', 'https://evil.example/dashboard'],
    ['message', 'link', `${ORIGIN}.evil.example/`],
    ['reply', 'link', `${ORIGIN}@evil.example/`],
    ['reply', 'link', 'javascript:alert(1)'],
    ['reply', 'link', `blob:${ORIGIN}/dashboard`],
    ['reply', 'link', `${ORIGIN.replace('//', '//somebody@')}/`],
    ['reply', 'link', '/dashboard/messages'],
    ['reply', 'message', undefined],
    ['vehicle-approved', 'plate', undefined],
    ['vehicle-rejected', 'reason', '\n'],
    ['vehicle-deleted', 'to', undefined],
  ]
  for (const [type, field, value] of wrong) {
    const { status, body } = await service.post('/send-email', mail(type, newRecipient(), { [field]: value }))
    assert.deepEqual(
      [status, body.code, Object.keys(body.fields)],
      [400, 'invalid_input', [field]],
      `${type} ${String(value)}`,
    )
  }
  assert.equal(inbox.received.length, before)
})

test('a link is exactly one of ours: nothing follows it, and no mail program reads it differently', async () => {
  for (const rest of ['/a\nhttps://evil.example/', '/a\t\r\n\r\nhttps://evil.example/', '\\@evil.example/']) {
    const to = newRecipient()
    assert.equal((await service.post('/send-email', mail('message', to, { link: ORIGIN + rest }))).status, 200)
    const [received] = await inbox.to(to)
    const { text = '', html } = received!.parsed
    assert.doesNotMatch(text, /^https:\/\/evil|\\@evil/m)
    assert.match(text, /^http:\/\/platenote\.test\/(?:ahttps:|@evil)/m)
    assert.doesNotMatch(html || '', /href="[^"]*[\\\s]/)
  }
})

test('the caller learns when the mail server refuses or is unavailable', async () => {
  const failed = [502, { error: 'Failed to send email', code: 'email_failed' }]
  const refused = await service.post('/send-email', mail('reply', 'refused@example.com'))
  assert.deepEqual([refused.status, refused.body], failed)
  const gone = await startSmtpInbox()
  await gone.close()
  await using down = await testApp({ settings: { SMTP_URL: gone.url, SERVICE_KEY: KEY } })
  const response = await down.withToken(KEY).post('/send-email', mail('vehicle-approved', newRecipient()))
  assert.deepEqual([response.status, response.body], failed)
  const [queued] = await down.db`select count(*)::int as rows from outbox`
  assert.equal(queued!['rows'], 0)
})

test('a person with an account gets it in their language and according to their preferences', async () => {
  const person = await app.user({ locale: 'fr-CA' })
  const subjects = () => inbox.received.filter(({ to }) => to === person.email).map(({ parsed }) => parsed.subject)
  const typed = person.email.replace('person', 'Person')
  await service.post('/send-email', mail('message', typed))
  const [received] = await inbox.to(typed)
  assert.equal(received!.parsed.subject, 'Nouveau message au sujet de votre véhicule ABCD123')
  assert.match(received!.raw, /^List-Unsubscribe:\s+<http:\/\/platenote\.test\/unsubscribe\//m)

  await person.patch('/api/preferences', { email_message_text: false })
  await service.post('/send-email', mail('reply', person.email))
  const [reply] = await inbox.to(person.email)
  assert.doesNotMatch(reply!.raw, /lights are on/)

  await person.patch('/api/preferences', { email_messages: false })
  const response = await service.post('/send-email', mail('message', person.email))
  assert.deepEqual([response.status, response.body], [200, {}])
  await service.post('/send-email', mail('vehicle-approved', person.email))
  assert.deepEqual(subjects(), ['Réponse au sujet de la plaque ABCD123', 'Votre plaque ABCD123 est vérifiée'])
})

test('an address without an account gets it in the language the caller requests', async () => {
  const to = newRecipient()
  await service.post('/send-email', mail('vehicle-deleted', to), { 'accept-language': 'fr-CA' })
  const [received] = await inbox.to(to)
  assert.equal(received!.parsed.subject, 'Votre enregistrement de la plaque ABCD123 a été supprimé')
})
