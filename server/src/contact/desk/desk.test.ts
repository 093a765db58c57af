import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { settleWaitingMails } from '../../email/queries.ts'
import { type Person, testApp } from '../../test/app.ts'
import { createAdmin } from '../../test/disputes.ts'
import { eventually } from '../../test/eventually.ts'
import { startSmtpInbox } from '../../test/smtp-inbox.ts'

// Admins read, answer and close what people wrote on the contact page (decision 0087).

const SUPPORT = 'team@platenote.example'
const inbox = await startSmtpInbox({
  end: ({ parsed }) => (parsed.text?.includes('> forbidden words') ? 554 : undefined),
  recipient: (address) => (address.startsWith('gone-') ? 550 : undefined),
})
after(() => inbox.close())
const app = await testApp({ settings: { SMTP_URL: inbox.url, SUPPORT_EMAIL: SUPPORT } })
after(() => app.close())
const admin = await createAdmin(app)

let writers = 0
/** Has a visitor write to the team. Returns the submission's id and what was typed. */
async function write(changes: Record<string, string> = {}, language = 'en') {
  const typed = {
    name: 'Zoé Tremblay',
    email: `zoe-${++writers}@example.com`,
    subject: 'technical-support',
    message: 'The page is blank.\nSee https://evil.example/login please.',
    ...changes,
  }
  const sent = await app.visitor.post('/send-email', { type: 'contact', ...typed }, { 'accept-language': language })
  assert.equal(sent.status, 200)
  const [row] = await app.db<{ id: string }[]>`select id from contact_submissions order by id desc limit 1`
  return { id: row!.id, typed }
}
const at = (id: string, call: string) => `/api/admin/contact/${id}/${call}`
const open = (who: Person, id: string, purpose = 'To answer') => who.post(at(id, 'open'), { purpose })
const auditOf = async (id: string) =>
  (await admin.get('/api/admin/audit-log?limit=100')).body.items.filter(
    ({ subject_id }: { subject_id: string }) => subject_id === id,
  )
const listed = async (id: string, state = 'open') =>
  (await admin.get(`/api/admin/contact?state=${state}&limit=100`)).body.items.find(
    (item: { id: string }) => item.id === id,
  )

test('the list shows what waits, oldest first, and nothing that anybody wrote', async () => {
  const [first, second] = [await write(), await write({ subject: 'partnership' }, 'fr-CA')]
  const { status, text, body } = await admin.get('/api/admin/contact?limit=100')
  assert.equal(status, 200)
  for (const secret of ['Zoé', 'zoe-', 'blank', 'evil']) assert.ok(!text.includes(secret), secret)
  const mine = body.items.filter(({ id }: { id: string }) => [first.id, second.id].includes(id))
  assert.deepEqual(
    mine.map((item: object) => ({ ...item, created_at: null })),
    [
      {
        id: first.id,
        subject: 'technical-support',
        locale: 'en',
        state: 'open',
        answered_at: null,
        delivery: null,
        created_at: null,
      },
      {
        id: second.id,
        subject: 'partnership',
        locale: 'fr-CA',
        state: 'open',
        answered_at: null,
        delivery: null,
        created_at: null,
      },
    ],
  )
  assert.equal((await admin.get('/api/admin/contact?state=gone')).body.code, 'invalid_input')
})

test('the pages of both lists show everything once', async () => {
  for (let i = 0; i < 3; i++) await write()
  const idsOf = async (state: string, limit: number) => {
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await admin.get(`/api/admin/contact?state=${state}&limit=${limit}${cursor}`)
      ids.push(...body.items.map(({ id }: { id: string }) => id))
      if (!body.next) return ids
      cursor = `&cursor=${body.next}`
    }
  }
  const ids = await idsOf('open', 100)
  assert.deepEqual(await idsOf('open', 2), ids)
  assert.deepEqual(ids, ids.toSorted())
  for (const id of ids) assert.equal((await admin.post(at(id, 'close'))).status, 200)
  assert.deepEqual([await idsOf('open', 2), await idsOf('closed', 2)], [[], ids.toReversed()])
})

test('opening shows the text to an admin who says what for, and each opening has its row in the audit log', async () => {
  const { id, typed } = await write()
  for (const purpose of [undefined, '', ' \u200b\u2060 ', 'x'.repeat(501)]) {
    const { status, body } = await admin.post(at(id, 'open'), { purpose })
    assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, ['purpose']])
  }
  assert.deepEqual(await auditOf(id), [])
  const { status, body } = await open(admin, id, 'They called us')
  assert.equal(status, 200)
  assert.deepEqual(
    [body.name, body.email, body.subject, body.message, body.answers],
    [typed.name, typed.email, typed.subject, typed.message, []],
  )
  await open(admin, id, 'They called again')
  assert.deepEqual(
    (await auditOf(id)).map(({ action, actor_email, reason, subject }: Record<string, string>) => [
      action,
      actor_email,
      reason,
      subject,
    ]),
    [
      ['contact_opened', admin.email, 'They called again', 'technical-support'],
      ['contact_opened', admin.email, 'They called us', 'technical-support'],
    ],
  )
})

test('an answer quotes what the person wrote, in their language, and a reply to it reaches the support address', async () => {
  const { id, typed } = await write({}, 'fr-CA')
  const answered = await admin.post(at(id, 'answer'), { text: 'Rechargez la page.\n\nMerci!' })
  assert.deepEqual([answered.status, answered.body.state], [200, 'open'])
  for (const written of ['blank', 'Rechargez', 'zoe-']) assert.ok(!answered.text.includes(written), written)
  const [mail] = await inbox.to(typed.email)
  const text = mail!.parsed.text ?? ''
  assert.equal(mail!.parsed.subject, 'Re : Soutien technique')
  assert.deepEqual(mail!.parsed.replyTo?.value, [{ address: SUPPORT, name: '' }])
  assert.match(text, /Rechargez la page\.\n\nMerci!/)
  assert.match(text, /^> The page is blank\.\n> See/m)
  assert.match(text, /Ce que vous avez écrit le /)
  assert.doesNotMatch(mail!.parsed.html || '', /evil\.example/)
  assert.ok(!mail!.raw.includes(admin.email), 'the person learns no admin’s address')
  await eventually(async () => ((await listed(id)).delivery === 'sent' ? true : undefined))
  const { answers } = (await open(admin, id)).body
  assert.deepEqual(
    answers.map((answer: Record<string, string>) => [answer['text'], answer['delivery']]),
    [['Rechargez la page.\n\nMerci!', 'sent']],
  )
})

test('a second press sends nothing twice, and another text is another answer', async () => {
  const { id, typed } = await write()
  const press = () => admin.post(at(id, 'answer'), { text: 'Please reload' })
  for (const { status } of await Promise.all([press(), press(), press()])) assert.equal(status, 200)
  assert.equal((await admin.post(at(id, 'answer'), { text: 'And now?' })).status, 200)
  const mails = await inbox.to(typed.email, 2)
  assert.deepEqual(mails.map(({ parsed }) => parsed.text?.includes('And now?')).toSorted(), [false, true])
  const actions = (await auditOf(id)).map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['contact_answered', 'contact_answered'])
})

test('a closed one is in the other list, is closed once, and is not answered any more', async () => {
  const { id, typed } = await write()
  const press = () => admin.post(at(id, 'close'))
  for (const { status, body } of await Promise.all([press(), press()]))
    assert.deepEqual([status, body.state], [200, 'closed'])
  assert.equal(await listed(id), undefined)
  assert.equal((await listed(id, 'closed')).state, 'closed')
  const late = await admin.post(at(id, 'answer'), { text: 'Too late' })
  assert.deepEqual([late.status, late.body.code], [409, 'submission_closed'])
  assert.equal((await open(admin, id)).body.message, typed.message)
  const actions = (await auditOf(id)).map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['contact_opened', 'contact_closed'])
})

test('a closed one is opened again, once, with its row in the audit log, and can be answered', async () => {
  const { id, typed } = await write()
  const press = () => admin.post(at(id, 'reopen'))
  assert.deepEqual([(await press()).status, await auditOf(id)], [200, []], 'an open one stays as it is')
  await admin.post(at(id, 'close'))
  for (const { status, body } of await Promise.all([press(), press()]))
    assert.deepEqual([status, body.state], [200, 'open'])
  assert.deepEqual([(await listed(id)).state, await listed(id, 'closed')], ['open', undefined])
  assert.equal((await admin.post(at(id, 'answer'), { text: 'Sorry, here is more' })).status, 200)
  assert.match((await inbox.to(typed.email))[0]!.parsed.text ?? '', /Sorry, here is more/)
  const actions = (await auditOf(id)).map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['contact_answered', 'contact_reopened', 'contact_closed'])
  assert.equal((await admin.post(at(randomUUID(), 'reopen'))).status, 404)
})

test('an answer whose quote the mail server refuses goes without it; one to a dead address is shown as lost', async () => {
  const refused = await write({ message: 'forbidden words' })
  await admin.post(at(refused.id, 'answer'), { text: 'Please call us' })
  const without = await eventually(
    async () => (await inbox.to(refused.typed.email)).find(({ parsed }) => !parsed.text?.includes('forbidden words')),
    20_000,
  )
  assert.match(without.parsed.text ?? '', /Please call us/)
  const dead = await write({ email: 'gone-1@example.com' })
  await admin.post(at(dead.id, 'answer'), { text: 'Hello?' })
  await eventually(async () => ((await listed(dead.id)).delivery === 'failed' ? true : undefined))
  // had it waited in a backup, a restore would not know what became of it
  await app.db.begin(async (tx) => {
    await tx`update outbox set failed_at = null where kind = 'contact_answer' and failed_at is not null`
    await settleWaitingMails(tx)
  })
  assert.equal((await listed(dead.id)).delivery, null)
})

test('answers are encrypted, and go with the submission', async () => {
  const { id } = await write()
  await admin.post(at(id, 'answer'), { text: 'unmistakable answer' })
  const [row] = await app.db`select t::text as row, text_encrypted from contact_answers t where submission_id = ${id}`
  assert.equal((row!['text_encrypted'] as Buffer).includes('unmistakable'), false)
  assert.equal(String(row!['row']).includes(Buffer.from('unmistakable').toString('hex')), false)
  const mails = await app.db`select to_json(o)::text as row from outbox o where kind = 'contact_answer'`
  for (const mail of mails) assert.doesNotMatch(String(mail['row']), /unmistakable|zoe-/)
  await app.db`delete from contact_submissions where id = ${id}`
  assert.equal((await app.db`select from contact_answers where submission_id = ${id}`).length, 0)
})
