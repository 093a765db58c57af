import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newId } from '../db/ids.ts'
import { eventually } from '../test/eventually.ts'
import { isSent } from '../test/mail-harness.ts'
import { createMessageMailHarness } from '../test/message-mail-harness.ts'
import { openSmtpInbox } from '../test/smtp-inbox.ts'

const harness = await createMessageMailHarness({ after })

/** Emails in quiet hours (decision quiet-hours), by a clock of our own. */
describe('the mail worker in quiet hours', () => {
  /** Starts a mail server, and a clock by which workers judge what is quiet. */
  async function setUp(t: { after: (clean: () => Promise<void>) => void }, start: string) {
    const inbox = await openSmtpInbox(t)
    let now = new Date(start)
    const startWorker = () => {
      const worker = harness.start(inbox.url, { now: () => now })
      t.after(() => worker.stop())
      return worker
    }
    const setClock = (at: string) => {
      now = new Date(at)
    }
    return { inbox, startWorker, setClock }
  }

  /** Creates somebody with quiet hours from 10 in the evening to 7 in the morning, in Toronto unless a zone is given. */
  async function sleeper(zone = 'America/Toronto') {
    const person = await harness.person()
    await harness.db`
      update preferences set quiet_from = '22:00', quiet_until = '07:00', time_zone = ${zone} where user_id = ${person.id}`
    return person
  }
  /** Returns for how many minutes an email is held, or waits until it is. */
  const heldMinutes = (id: string) =>
    eventually(async () => {
      const [row] = await harness.db<{ minutes: number }[]>`
        select extract(epoch from run_at - now()) / 60 as minutes from outbox
        where id = ${id} and held and lease_token is null and sent_at is null and run_at > now() + interval '1 minute'`
      return row && Math.round(Number(row.minutes))
    })

  test('everything of a night over the change to winter time comes as one email, an hour later, whatever restarts', async (t) => {
    const { inbox, startWorker, setClock } = await setUp(t, '2026-10-31T22:30:00-04:00')
    const { id: owner, email } = await sleeper()
    const first = await harness.message(owner)
    const one = startWorker()
    // until 7:00 in winter: nine and a half hours, by any other clock eight and a half
    assert.equal(await heldMinutes(first), 9 * 60 + 30)
    setClock('2026-11-01T01:30:00-05:00') // the second time
    const second = await harness.message(owner)
    assert.equal(await heldMinutes(second), 5 * 60 + 30)
    await one.stop()

    // a worker that dies with its lease leaves the email to the next one
    const third = await harness.message(owner)
    await harness.db`
      update outbox set attempts = 1, lease_token = ${newId()}, run_at = now() where id = ${third}`
    await harness.db`
      update digests set tries = 1, lease_token = ${newId()}, next_at = now() where recipient_id = ${owner}`
    startWorker()
    assert.equal(await heldMinutes(third), 5 * 60 + 30)
    setClock('2026-11-01T06:59:59-05:00')
    // the clock of the database is another one
    await harness.db`update outbox set run_at = now() where recipient_id = ${owner}`
    for (const id of [first, second, third])
      await eventually(async () => ((await harness.row(id))?.lease_token === null ? true : undefined))
    assert.equal(inbox.received.length, 0)

    // all three are due in a second: a worker that reads them while they are being changed would email only some of them
    setClock('2026-11-01T07:00:00-05:00')
    for (const id of [first, second, third]) await harness.rowWhen(id, isSent)
    const mails = await inbox.to(email)
    assert.equal(mails.length, 1)
    const refs = await harness.refs([first, second, third])
    for (const ref of refs) assert.ok(mails[0]!.parsed.text!.includes(ref), ref)
  })

  test('emails about the account and disputes are not held', async (t) => {
    const { startWorker } = await setUp(t, '2026-11-21T03:00:00-05:00')
    const { id: person } = await sleeper()
    const kinds = [
      'password_changed',
      'new_sign_in',
      'dispute_incumbent',
      'dispute_settled',
      'vehicle_rejected',
      'auth_link',
    ] as const
    const ids = await Promise.all(kinds.map((kind) => harness.queue(person, {}, kind)))
    startWorker()
    for (const id of ids) await harness.rowWhen(id, isSent)
  })

  test('other quiet hours, or none, look again at what is held', async (t) => {
    const { startWorker } = await setUp(t, '2026-11-21T03:00:00-05:00')
    const { id: owner } = await sleeper()
    const id = await harness.message(owner)
    startWorker()
    assert.equal(await heldMinutes(id), 4 * 60)
    await harness.db`update preferences set quiet_until = '05:00' where user_id = ${owner}`
    await eventually(async () => ((await heldMinutes(id)) === 2 * 60 ? true : undefined))
    await harness.db`update preferences set quiet_from = null, quiet_until = null where user_id = ${owner}`
    await harness.rowWhen(id, isSent)
  })
})
