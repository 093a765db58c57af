import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { openSmtpInbox, startSmtpInbox } from '../test/smtp-inbox.ts'

const SUPPORT = 'team@platenote.example'
let refusesWords = true
const inbox = await startSmtpInbox({
  end: ({ parsed }) => (refusesWords && parsed.text?.includes('forbidden words') ? 554 : undefined),
})
after(() => inbox.close())
const app = await testApp({ settings: { SMTP_URL: inbox.url, SUPPORT_EMAIL: SUPPORT } })

let writers = 0
/** A form, distinguished from all others by its address. */
const form = (changes: Record<string, unknown> = {}) => ({
  type: 'contact',
  name: 'Zoé Tremblay',
  email: `zoe-${++writers}@example.com`,
  subject: 'technical-support',
  message: 'The page is blank.\nSee https://evil.example/login please.',
  ...changes,
})
/** The emails of all messages so far, whether or not they have left. */
const mails = ({ db } = app) =>
  db<{ id: string; ref_id: string; sent_at: string | null; failed_at: string | null; last_error: string | null }[]>`
    select * from outbox where kind = 'contact' order by id`
const isKept = async (submissionId: string) =>
  (await app.db`select from contact_submissions where id = ${submissionId}`).length === 1
/** Waits until the newest email of a contact message is as wanted. */
const newestMail = (wanted: 'sent_at' | 'failed_at' | 'last_error', of = app) =>
  eventually(async () => {
    const mail = (await mails(of)).at(-1)
    return mail && mail[wanted] !== null ? mail : undefined
  })
const mailFrom = (email: string, withinMs?: number) =>
  eventually(async () => inbox.received.find(({ parsed }) => parsed.replyTo?.[0]?.address === email), withinMs)

test('what a visitor writes reaches the support address, and a reply goes to the visitor', async () => {
  const typed = form()
  const response = await app.visitor.post('/send-email', {
    ...typed,
    email: ` ${typed.email}. `,
    to: 'somebody@else.example',
  })
  assert.deepEqual([response.status, response.body], [200, {}])
  const { to, parsed } = await mailFrom(typed.email)
  assert.equal(to, SUPPORT)
  assert.equal(parsed.subject, 'Contact form: Technical support')
  assert.deepEqual(parsed.replyTo, [{ address: typed.email, name: '' }])
  assert.match(parsed.text ?? '', /Name: Zoé Tremblay\n- Email: zoe-\d+@example\.com/)
  assert.match(parsed.text ?? '', /^> The page is blank\.\n> See/m)
  // a stranger's text contains no link, and nobody else was emailed
  assert.doesNotMatch(parsed.html || '', /evil\.example/)
  assert.equal(inbox.received.filter(({ to }) => to !== SUPPORT).length, 0)
})

test('each invalid field is named, and nothing is stored', async () => {
  const before = (await mails()).length
  const wrong: [field: string, value: unknown][] = [
    ['name', ' \u00a0 '],
    ['name', 'x'.repeat(101)],
    ['name', undefined],
    ['name', 'a\u2028b'],
    ['email', 'zoe'],
    ['email', `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(60)}.ca`],
    ['email', 'a@b.ca, c@d.ca'],
    ['email', ['a@b.ca']],
    ['subject', 'other'],
    ['message', '\n \t'],
    ['message', 'é'.repeat(5_001)],
    ['message', 'a\0b'],
    ['message', '\ud800'],
  ]
  for (const [field, value] of wrong) {
    const { status, body } = await app.visitor.post('/send-email', form({ [field]: value }))
    assert.deepEqual(
      [status, body.code, Object.keys(body.fields)],
      [400, 'invalid_input', [field]],
      JSON.stringify(value),
    )
  }
  assert.equal((await mails()).length, before)
})

test('no text becomes a header of the email', async () => {
  for (const field of ['name', 'email', 'subject']) {
    const { status } = await app.visitor.post('/send-email', form({ [field]: 'a@b.ca\r\nBcc: victim@example.com' }))
    assert.equal(status, 400, field)
  }
  const typed = form({ message: 'one\r\nBcc: victim@example.com\r\n\r\n.\r\nQUIT' })
  await app.visitor.post('/send-email', typed)
  const { parsed, raw } = await mailFrom(typed.email)
  assert.deepEqual([parsed.bcc, parsed.cc], [undefined, undefined])
  assert.doesNotMatch(raw, /^Bcc:/im)
  assert.match(parsed.text ?? '', /^> one\n> Bcc: victim/m)
})

test('a text the mail server refuses is never sent without it: admins see that it failed, and send it again', async () => {
  const admin = await createAdmin(app)
  const typed = form({ message: 'forbidden words' })
  await app.visitor.post('/send-email', typed)
  const failed = await newestMail('failed_at')
  assert.deepEqual([failed.last_error, await isKept(failed.ref_id)], ['smtp_554', true])
  assert.ok(
    inbox.received.every(
      ({ parsed: { replyTo, text } }) => replyTo?.[0]?.address !== typed.email || text?.includes('forbidden words'),
    ),
  )
  const { items } = (await admin.get('/api/admin/failed-mails')).body
  assert.deepEqual([items[0].id, items[0].error, items[0].response], [failed.id, 'refused', '554'])

  refusesWords = false
  assert.equal((await admin.post(`/api/admin/failed-mails/${failed.id}/retry`)).status, 204)
  await newestMail('sent_at')
  const arrived = inbox.received.at(-1)!
  assert.deepEqual(arrived.parsed.replyTo, [{ address: typed.email, name: '' }])
  assert.match(arrived.parsed.text ?? '', /^> forbidden words/m)
  assert.equal(await isKept(failed.ref_id), false)
})

test('a retry after a lost response sends nothing twice; another text, or the same after ten minutes, is sent', async () => {
  const typed = form()
  const send = async (changes = {}) => {
    const before = (await mails()).length
    assert.deepEqual((await app.visitor.post('/send-email', { ...typed, ...changes })).body, {})
    return (await mails()).length - before
  }
  const age = (minutes: number) => app.db`
    update rate_counters set expires_at = expires_at - make_interval(mins => ${minutes}) where key like 'contact-repeat:%'`
  assert.equal(await send(), 1)
  assert.equal(await send(), 0)
  assert.equal(await send({ message: ` ${typed.message}\r\n` }), 0, 'compared as the team reads it')
  for (const changes of [
    { name: 'Zoé' },
    { email: 'z@e.ca' },
    { subject: 'media-press' },
    { message: 'Other words' },
  ]) {
    assert.equal(await send(changes), 1, JSON.stringify(changes))
  }
  await newestMail('sent_at')
  assert.equal(await send(), 0, 'also when nothing is kept of it any more')
  await age(9)
  assert.equal(await send(), 0)
  await age(1)
  assert.equal(await send(), 1)
})

test('a support address the mail server rejects is retried, because a setting can be corrected', async (t) => {
  const strict = await openSmtpInbox(t, { recipient: () => 550 })
  await using wrong = await testApp({ settings: { SMTP_URL: strict.url, SUPPORT_EMAIL: SUPPORT } })
  await wrong.visitor.post('/send-email', form())
  const { last_error, failed_at } = await newestMail('last_error', wrong)
  assert.deepEqual([last_error, failed_at], ['smtp_550', null])
})
