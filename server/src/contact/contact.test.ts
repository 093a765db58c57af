import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CONTACT_SUBJECTS } from '#contract/contact.ts'
import { newId } from '../db/ids.ts'
import { queueSupportMail } from '../email/outbox.ts'
import { createLogger } from '../log/open-log.ts'
import { testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'
import { cleanUpContactSubmissions } from './cleanup.ts'

const SUPPORT = 'team@platenote.example'
const inbox = await startSmtpInbox({
  end: ({ parsed }) => (parsed.text?.includes('forbidden words') ? 554 : undefined),
})
after(() => inbox.close())
const app = await testApp({ settings: { SMTP_URL: inbox.url, SUPPORT_EMAIL: SUPPORT } })
after(() => app.close())

let writers = 0
/** What somebody types, told apart from all others by its address. */
const form = (changes: Record<string, unknown> = {}) => ({
  type: 'contact',
  name: 'Zoé Tremblay',
  email: `zoe-${++writers}@example.com`,
  subject: 'technical-support',
  message: 'The page is blank.\nSee https://evil.example/login please.',
  ...changes,
})
const submissions = () => app.db`select * from contact_submissions`
const mailFrom = (email: string, withinMs?: number) =>
  eventually(async () => inbox.received.find(({ parsed }) => parsed.replyTo?.value[0]?.address === email), withinMs)

test('what a visitor writes reaches the support address, and the answer goes to the visitor', async () => {
  const typed = form()
  const answer = await app.visitor.post('/send-email', { ...typed, to: 'somebody@else.example' })
  assert.deepEqual([answer.status, answer.body], [200, {}])
  const { to, parsed } = await mailFrom(typed.email)
  assert.equal(to, SUPPORT)
  assert.equal(parsed.subject, 'Contact form: Technical support')
  assert.deepEqual(parsed.replyTo?.value, [{ address: typed.email, name: '' }])
  assert.match(parsed.text ?? '', /Name: Zoé Tremblay\n- Email: zoe-\d+@example\.com/)
  assert.match(parsed.text ?? '', /^> The page is blank\.\n> See/m)
  // a stranger's words hold no link, and nobody else was written to
  assert.doesNotMatch(parsed.html || '', /evil\.example/)
  assert.equal(inbox.received.filter(({ to }) => to !== SUPPORT).length, 0)
})

test('the topic also stands as a French visitor chose it', async () => {
  const typed = form({ subject: 'delete-account' })
  await app.visitor.post('/send-email', typed, { 'accept-language': 'fr-CA' })
  const { parsed } = await mailFrom(typed.email)
  assert.equal(parsed.subject, 'Contact form: Delete my account (Supprimer mon compte)')
  assert.match(parsed.text ?? '', /Language: French/)
})

test('every subject of the form is taken, signed in or not', async () => {
  const person = await app.user()
  for (const subject of CONTACT_SUBJECTS) {
    assert.equal((await person.post('/send-email', form({ subject }))).status, 200, subject)
  }
})

test('each wrong field is named, and nothing is kept', async () => {
  const before = (await submissions()).length
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
  assert.equal((await submissions()).length, before)
})

test('lengths are counted in characters, after the white space around is gone', async () => {
  const answer = await app.visitor.post(
    '/send-email',
    form({ name: '🚗'.repeat(100), message: ` ${'🚗'.repeat(5_000)}\r\n` }),
  )
  assert.equal(answer.status, 200)
})

test('no text makes a header of the mail', async () => {
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

test('who wrote and what lies sealed in the database', async () => {
  const typed = form({ name: 'Unmistakable Name', message: 'unmistakable words' })
  await app.visitor.post('/send-email', typed)
  await mailFrom(typed.email)
  const rows = await app.db`
    select t::text as row, name_sealed, email_sealed, message_sealed from contact_submissions t order by id desc limit 1`
  const held = Buffer.concat([rows[0]!['name_sealed'], rows[0]!['email_sealed'], rows[0]!['message_sealed']])
  for (const secret of ['Unmistakable', 'unmistakable', typed.email]) {
    assert.equal(held.includes(secret), false)
    assert.equal(String(rows[0]!['row']).includes(Buffer.from(secret).toString('hex')), false)
  }
  const [mail] = await app.db`select to_json(o)::text as row from outbox o order by id desc limit 1`
  assert.doesNotMatch(String(mail!['row']), /nmistakable|zoe-/)
})

test('words the mail server refuses are left out, and the team still hears of the visitor', async () => {
  const typed = form({ message: 'forbidden words' })
  await app.visitor.post('/send-email', typed)
  const told = await eventually(
    async () =>
      inbox.received.find(
        ({ parsed }) => parsed.replyTo?.value[0]?.address === typed.email && !parsed.text?.includes('forbidden words'),
      ),
    20_000,
  )
  assert.match(told.parsed.text ?? '', /refused the words of this message/)
})

test('a second try after a lost answer sends nothing twice; other words, or the same after ten minutes, are sent', async () => {
  const typed = form()
  const send = async (changes = {}) => {
    const before = (await submissions()).length
    assert.deepEqual((await app.visitor.post('/send-email', { ...typed, ...changes })).body, {})
    return (await submissions()).length - before
  }
  const age = (minutes: number) => app.db`
    update contact_submissions set created_at = now() - make_interval(mins => ${minutes}) where repeat_hash is not null`
  assert.equal(await send(), 1)
  assert.equal(await send(), 0)
  assert.equal(await send({ message: ` ${typed.message}\r\n` }), 0, 'it is what the team reads that counts')
  for (const changes of [
    { name: 'Zoé' },
    { email: 'z@e.ca' },
    { subject: 'media-press' },
    { message: 'Other words' },
  ]) {
    assert.equal(await send(changes), 1, JSON.stringify(changes))
  }
  await age(9)
  assert.equal(await send(), 0)
  await age(11)
  assert.equal(await send(), 1)
  assert.equal(await send(), 0)
  // its mail has arrived, and the other one's of ten minutes before
  await eventually(async () =>
    inbox.received.filter(({ parsed }) => parsed.replyTo?.value[0]?.address === typed.email).length === 5
      ? true
      : undefined,
  )
})

test('what tells a repeat is gone after an hour at most', async () => {
  await app.visitor.post('/send-email', form())
  const told = async () => (await app.db`select from contact_submissions where repeat_hash is not null`).length
  await cleanUpContactSubmissions(app.db)
  assert.ok((await told()) > 0)
  await app.db`update contact_submissions set created_at = created_at - interval '11 minutes'`
  await cleanUpContactSubmissions(app.db)
  assert.equal(await told(), 0)
})

test('what was written 12 months ago is deleted, and nothing younger', async () => {
  await app.visitor.post('/send-email', form())
  await app.visitor.post('/send-email', form())
  const [old, young] = await app.db<{ id: string }[]>`select id from contact_submissions order by id desc limit 2`
  const age = (id: string, length: string) =>
    app.db`update contact_submissions set created_at = now() - ${length}::interval where id = ${id}`
  await age(old!.id, '12 months 1 day')
  await age(young!.id, '11 months 29 days')
  await cleanUpContactSubmissions(app.db)
  const left = (await submissions()).map(({ id }) => id)
  assert.deepEqual([left.includes(old!.id), left.includes(young!.id)], [false, true])
})

test('the mail of a submission is queued once, and no other mail goes without an account', async () => {
  const refId = newId()
  await Promise.all([1, 2, 3].map(() => queueSupportMail(app.db, 'contact', refId)))
  const [queued] = await app.db`select count(*)::int as rows from outbox where ref_id = ${refId}`
  assert.ok(Number(queued!['rows']) <= 1) // none once the worker has found that nothing was submitted
  await eventually(async () =>
    (await app.db`select from outbox where ref_id = ${refId}`).length === 0 ? true : undefined,
  )
  const reply = app.db`insert into outbox (id, kind, ref_id, recipient_id) values (${newId()}, 'reply', ${refId}, null)`
  await assert.rejects(reply, /only_contact_mails_have_no_account/)
})

test('a mail server that is down gets the message when it is up again, once', async (t) => {
  const first = await startSmtpInbox()
  await first.close()
  const down = await testApp({ settings: { SMTP_URL: first.url, SUPPORT_EMAIL: SUPPORT } })
  t.after(() => down.close())
  assert.equal((await down.visitor.post('/send-email', form({ message: 'written while it was down' }))).status, 200)
  await eventually(async () => {
    const [row] = await down.db`select last_error from outbox where kind = 'contact' and last_error is not null`
    return row
  })
  const second = await startSmtpInbox({ port: first.port })
  t.after(() => second.close())
  await second.to(SUPPORT, 1, 20_000)
  await eventually(async () => (await down.db`select from outbox where sent_at is not null`)[0])
  assert.equal(second.received.length, 1)
})

test('a support address the mail server does not know is tried again, because a setting can be put right', async (t) => {
  const strict = await startSmtpInbox({ recipient: () => 550 })
  t.after(() => strict.close())
  const wrong = await testApp({ settings: { SMTP_URL: strict.url, SUPPORT_EMAIL: SUPPORT } })
  t.after(() => wrong.close())
  await wrong.visitor.post('/send-email', form())
  const row = await eventually(async () => {
    const [tried] = await wrong.db`select last_error, failed_at from outbox where last_error is not null`
    return tried
  })
  assert.deepEqual([row['last_error'], row['failed_at']], ['smtp_550', null])
})

test('five messages an hour from one network; the sixth is told when, and kept nowhere', async (t) => {
  const strict = await testApp({ settings: { LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1' } })
  t.after(() => strict.close())
  const post = (ip: string, changes = {}) =>
    strict.visitor.post('/send-email', form(changes), { 'x-forwarded-for': ip, 'accept-language': 'fr' })
  for (let i = 0; i < 7; i++) assert.equal((await post('203.0.113.7', { name: '' })).status, 400) // does not count
  const answers = await Promise.all(Array.from({ length: 9 }, () => post('203.0.113.7')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 429, 429, 429, 429])
  const { body, headers } = answers.find(({ status }) => status === 429)!
  assert.equal(body.code, 'too_many_requests')
  assert.match(body.error, /^Vous nous avez écrit plusieurs fois/)
  const waitS = Number(headers.get('retry-after'))
  assert.ok(waitS > 3_500 && waitS <= 3_660, `${waitS} s`)
  const [kept] = await strict.db`
    select (select count(*)::int from contact_submissions) as rows, (select count(*)::int from outbox) as mails`
  assert.deepEqual([kept!['rows'], kept!['mails']], [5, 5])

  // an IPv6 subscriber has a whole /64, and the neighbour another
  for (let i = 1; i <= 5; i++) assert.equal((await post(`2001:db8:1:2::${i}`)).status, 200)
  assert.equal((await post('2001:db8:1:2:ffff::9')).status, 429)
  assert.equal((await post('2001:db8:1:3::1')).status, 200)
  const counted = await strict.db`select key from rate_counters where key like 'contact:%'`
  assert.equal(
    counted.some(({ key }) => /203|2001/.test(String(key).slice(0, 13))),
    false,
  )
})

test('nothing of what was written is in the log', async (t) => {
  const lines: string[] = []
  const log = createLogger('debug', { write: (line) => void lines.push(line) })
  const server = await startSiblingServer({ ...app.context, log })
  t.after(() => server.close())
  const post = (body: string) =>
    fetch(`${server.url}/send-email`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const typed = form({ name: 'Unmistakable Name', message: 'unmistakable words' })
  assert.equal((await post(JSON.stringify(typed))).status, 200)
  assert.equal((await post(JSON.stringify({ ...typed, subject: 'none' }))).status, 400)
  assert.equal((await post('{"message":"unmistakable words"')).status, 400)
  assert.equal(lines.filter((line) => line.includes('/send-email')).length, 3)
  assert.doesNotMatch(lines.join(''), /nmistakable|zoe-/)
})
