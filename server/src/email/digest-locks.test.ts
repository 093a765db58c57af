import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LEASE_DURATION_S } from '../jobs/lease-worker.ts'
import { eventually } from '../test/eventually.ts'
import { isFailed, isSent } from '../test/mail-harness.ts'
import { createMessageMailHarness, renderRefIds } from '../test/message-mail-harness.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'
import { SECOND_MS } from '../time.ts'
import { leaseMails } from './lease-mails.ts'

test('another worker takes over a recipient lock when its lease expires, even if the messages are gone', async (t) => {
  const { db, person, message, start, rowWhen } = await createMessageMailHarness(t)
  const inbox = await startSmtpInbox()
  t.after(() => inbox.close())
  const [withMessages, emptied] = [await person(), await person()]
  const left = await message(withMessages.id)
  const insertAbandonedLock = (id: string) => db`
    insert into digests (recipient_id, next_at, tries, lease_token) values (${id}, now() + interval '1 hour', 1, ${crypto.randomUUID()})`
  await insertAbandonedLock(withMessages.id)
  await insertAbandonedLock(emptied.id)
  await db`update outbox set attempts = 1, run_at = now() + interval '1 hour', lease_token = ${crypto.randomUUID()}`
  const [more, other] = [await message(withMessages.id), await message(emptied.id)]
  const running = start(inbox.url)
  await eventually(async () => ((await db`select from outbox where run_at <= now()`).length === 0 ? true : undefined))
  assert.equal(inbox.received.length, 0)
  // as if the leases had ended
  await db`update digests set next_at = now()`
  await db`update outbox set run_at = now()`
  running.wake()
  for (const id of [left, more, other]) await rowWhen(id, isSent)
  assert.equal((await inbox.to(withMessages.email)).length, 1)
  assert.equal((await inbox.to(emptied.email)).length, 1)
})

test('an email that something else is changing when the worker comes leaves soon after, not when a lease expires', async (t) => {
  const { db, person, message, start, rowWhen, recipientLock } = await createMessageMailHarness(t)
  const inbox = await startSmtpInbox()
  t.after(() => inbox.close())
  const { id: owner } = await person()
  const mail = await message(owner)
  const changed = await db.begin(async (tx) => {
    await tx`select from outbox where id = ${mail} for update`
    start(inbox.url)
    await eventually(() => recipientLock(owner)) // the worker came
    const [row] = await db<{ at: string }[]>`select clock_timestamp() as at`
    return row!.at
  })
  const { sent_at } = await rowWhen(mail, isSent)
  assert.ok(
    Date.parse(sent_at!) - Date.parse(changed) < (LEASE_DURATION_S / 2) * SECOND_MS,
    `${sent_at} is too long after ${changed}`,
  )
})

test('a worker that is too late for its lease changes neither the messages nor the recipient lock', async (t) => {
  const { person, message, start, rowWhen, recipientLock, expireRecipientLock } = await createMessageMailHarness(t)
  const inbox = await startSmtpInbox()
  t.after(() => inbox.close())
  const { id: owner } = await person()
  const mail = await message(owner)
  const [late, present] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = start(inbox.url, { render: () => late.promise.then(() => null) })
  await rowWhen(mail, ({ lease_token }) => lease_token !== null)
  await expireRecipientLock(owner)
  start(inbox.url, { render: (...args) => present.promise.then(() => renderRefIds(...args)) })
  const taken = await rowWhen(mail, ({ attempts }) => attempts === 2)
  const before = await recipientLock(owner)

  late.resolve()
  await first.stop()
  assert.equal((await rowWhen(mail, () => true)).lease_token, taken.lease_token)
  const after = await recipientLock(owner)
  assert.deepEqual([after?.lease_token, after?.tries], [before?.lease_token, 2])
  present.resolve()
  await rowWhen(mail, isSent)
})

test('deleting an account while its email is being sent, or waits, affects nobody else', async (t) => {
  const { db, person, message, start, rowWhen } = await createMessageMailHarness(t)
  const gate = Promise.withResolvers<void>()
  const [leaving, staying] = [await person(), await person()]
  const running = start(undefined, {
    render: async (...args) => {
      if (args[1].recipientId === leaving.id) await gate.promise
      return renderRefIds(...args)
    },
  })
  const mail = await message(leaving.id)
  running.wake()
  await rowWhen(mail, ({ lease_token }) => lease_token !== null)
  // as a deletion in progress: the account is locked, its waiting emails are skipped, and no worker waits for it
  const locked = Promise.withResolvers<void>()
  const deleting = db.begin(async (tx) => {
    await tx`select from auth.users where id = ${leaving.id} for update`
    locked.resolve()
    await gate.promise
    await tx`delete from auth.users where id = ${leaving.id}`
  })
  await locked.promise
  // sent alone or with the second, which would otherwise wait for the next email
  const first = await message(staying.id)
  await message(staying.id)
  running.wake()
  await rowWhen(first, isSent)
  gate.resolve()
  await deleting
  assert.equal((await db`select from digests where recipient_id = ${leaving.id}`).length, 0)
  assert.equal((await db`select from outbox where recipient_id = ${leaving.id}`).length, 0)
})

test('after 72 hours without success a message is given up, but not the younger ones in the same email', async (t) => {
  const { db, person, message, start, rowWhen } = await createMessageMailHarness(t)
  const inbox = await startSmtpInbox({ recipient: () => 450 })
  t.after(() => inbox.close())
  const { id: owner } = await person()
  const [old, young] = [await message(owner), await message(owner)]
  await db`update outbox set created_at = now() - interval '72 hours 1 minute' where id = ${old}`
  start(inbox.url)
  assert.equal((await rowWhen(old, isFailed)).last_error, 'smtp_450')
  assert.equal((await rowWhen(young, ({ attempts }) => attempts > 1)).failed_at, null)
})

test('of several workers at the same moment, one gets the recipient lock and all waiting messages', async (t) => {
  const { db, person, message } = await createMessageMailHarness(t)
  for (let round = 0; round < 25; round++) {
    const { id: owner } = await person()
    const ids = await Promise.all(Array.from({ length: 12 }, () => message(owner)))
    const claims = await Promise.all(Array.from({ length: 4 }, () => leaseMails(db, 'fresh', 5)))
    assert.deepEqual(
      claims.flatMap(({ leases }) => leases.map((lease) => lease.ids)),
      [ids.toSorted()],
      `round ${round}`,
    )
  }
})
