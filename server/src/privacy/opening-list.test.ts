import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Pool } from '../db/pool.ts'
import { openPool } from '../db/pool.ts'
import { type TestApp, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { type SmtpInbox, startSmtpInbox } from '../test/smtp-inbox.ts'
import { queueOpeningList } from './opening-list.ts'

// The weekly list of what admins opened (decision 0087), over real SMTP.

const OFFICER = 'privacy@platenote.example'
const inbox: SmtpInbox = await startSmtpInbox()
after(() => inbox.close())
const app: TestApp = await testApp({ settings: { SMTP_URL: inbox.url, PRIVACY_EMAIL: OFFICER } })
after(() => app.close())
const [admin, other] = [await createAdmin(app), await createAdmin(app)]

async function writeToSupport(): Promise<string> {
  const form = {
    name: 'Canary Roy',
    email: 'canary@example.com',
    subject: 'partnership',
    message: `Canary ${Math.random()}`,
  }
  assert.equal((await app.visitor.post('/send-email', { type: 'contact', ...form })).status, 200)
  const [row] = await app.db<{ id: string }[]>`select id from contact_submissions order by id desc limit 1`
  return row!.id
}
const open = (who: typeof admin, id: string, purpose: string) =>
  who.post(`/api/admin/contact/${id}/open`, { purpose }).then(({ status }) => assert.equal(status, 200))

/** Lets weeks pass: everything that was opened or listed is that much older. */
async function passWeeks(weeks: number) {
  await app.db`update opening_lists set starts_at = starts_at - ${weeks} * interval '7 days', ends_at = ends_at - ${weeks} * interval '7 days'`
  await app.db`alter table audit_log disable trigger user`
  await app.db`update audit_log set at = at - ${weeks} * interval '7 days'`
  // in the week after the last list, whatever the hour of this test is
  await app.db`
    update audit_log set at = latest.ends_at + interval '1 hour'
    from (select max(ends_at) as ends_at from opening_lists) latest
    where at > latest.ends_at`
  await app.db`alter table audit_log enable trigger user`
}
const listMails = () => inbox.received.filter(({ to }) => to === OFFICER)
const lists = (db: Pool = app.db) => db`select from outbox where kind = 'opening_list'`

test('the first start sends nothing: there is no week to report', async () => {
  await eventually(async () => ((await app.db`select from opening_lists`).length === 1 ? true : undefined))
  await queueOpeningList(app.db)
  assert.equal((await lists()).length, 0)
})

test('once a week the privacy officer reads who opened what and why, and nothing that anybody wrote', async () => {
  const [first, second] = [await writeToSupport(), await writeToSupport()]
  await open(admin, first, 'They called us')
  await open(other, second, 'See https://evil.example')
  await passWeeks(1)
  // several workers, each with connections of its own, again and again
  const workers = Array.from({ length: 4 }, () => openPool(app.database.connection, 2))
  await Promise.all([...workers, ...workers].map((db) => queueOpeningList(db)))
  await Promise.all(workers.map((db) => db.end({ timeout: 5 })))
  assert.equal((await lists()).length, 1)

  const [mail] = await inbox.to(OFFICER)
  const text = mail!.parsed.text ?? ''
  assert.match(mail!.parsed.subject ?? '', /^Opened by admins, \w+ \d+, \d{4} to \w+ \d+, \d{4}$/)
  for (const [who, id, purpose] of [
    [admin, first, 'They called us'],
    [other, second, 'evil'],
  ] as const) {
    const part = text.slice(text.indexOf(`${who.email} (1)`))
    assert.match(
      part,
      new RegExp(`^[^(]+\\(1\\)\\s+- \\w+.*: Contact message ${id} \\(partnership\\)\\. Purpose: .*${purpose}`),
    )
  }
  assert.doesNotMatch(mail!.raw, /canary|https:\/\/evil/i)

  // restarts, and a day later: nothing more
  await queueOpeningList(app.db)
  await app.db`delete from outbox where kind = 'opening_list'`
  await queueOpeningList(app.db)
  assert.equal((await lists()).length, 0)
  assert.equal(listMails().length, 1)
})

test('a week in which nobody opened anything is reported too, and weeks nobody worked in are part of the next list', async () => {
  await passWeeks(1)
  await queueOpeningList(app.db)
  const [, quiet] = await inbox.to(OFFICER, 2)
  assert.match(quiet!.parsed.text ?? '', /Nobody opened a report, an appeal or a contact message\./)

  const id = await writeToSupport()
  await open(admin, id, 'Before the outage')
  await passWeeks(3)
  await queueOpeningList(app.db)
  const [, , late] = await inbox.to(OFFICER, 3)
  assert.match(late!.parsed.text ?? '', /Purpose: Before the outage/)
  assert.equal((await app.db`select from opening_lists`).length, 4)
})
