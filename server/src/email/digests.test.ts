import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../db/ids.ts'
import { LEASE_DURATION_S } from '../jobs/lease-worker.ts'
import { eventually } from '../test/eventually.ts'
import { waitForLockWaits } from '../test/locks.ts'
import { isFailed, isSent, renderTestMail } from '../test/mail-harness.ts'
import { createMessageMailHarness, endDigestPause, renderRefIds } from '../test/message-mail-harness.ts'
import { openSmtpInbox } from '../test/smtp-inbox.ts'
import { HOUR_MS, MINUTE_S, SECOND_MS } from '../time.ts'
import type { Lease } from './lease-mails.ts'
import { markSent } from './queries.ts'

const listed = (text: string | undefined) => [...(text ?? '').matchAll(/^- (\S+)$/gm)].map(([, ref]) => ref)

test('with any number of workers and messages, an owner gets one email in five minutes', async (t) => {
  const { person, message, start, untilPutOff, refs, db } = await createMessageMailHarness(t)
  const inbox = await openSmtpInbox(t)
  const owners = await Promise.all(Array.from({ length: 6 }, () => person()))
  const workers = [start(inbox.url), start(inbox.url), start(inbox.url)]
  const ids = await Promise.all(
    owners.flatMap(({ id }) =>
      Array.from({ length: 20 }, async () => {
        const row = await message(id)
        for (const worker of workers) worker.wake()
        return row
      }),
    ),
  )
  await Promise.all(owners.map(({ email }) => inbox.to(email)))
  const sent = inbox.received.flatMap(({ parsed }) => listed(parsed.text))
  const left = await eventually(async () => {
    const rows = await db<{ id: string }[]>`select id from outbox where sent_at is null`
    return rows.length + sent.length === ids.length ? rows.map((row) => row.id) : undefined
  })
  await untilPutOff(left)
  assert.equal(inbox.received.length, owners.length)
  await endDigestPause(db)
  for (const worker of workers) worker.wake()
  await eventually(async () => ((await db`select from outbox where sent_at is null`).length === 0 ? true : undefined))
  const announced = inbox.received.flatMap(({ parsed }) => listed(parsed.text))
  assert.deepEqual(announced.toSorted(), (await refs(ids)).toSorted())
  for (const { email } of owners) assert.ok((await inbox.to(email)).length <= 2)
})

test('an email that fails keeps its messages, and new ones join its retry', async (t) => {
  const { person, message, start, rowWhen, refs, recipientLock, expireRecipientLock } =
    await createMessageMailHarness(t)
  let isFailing = true
  const inbox = await openSmtpInbox(t, { end: () => (isFailing ? 451 : undefined) })
  const { id: owner, email } = await person()
  const first = await message(owner)
  const running = start(inbox.url, { retryBaseMs: HOUR_MS })
  assert.equal((await rowWhen(first, ({ last_error }) => last_error !== null)).last_error, 'smtp_451')
  const before = await recipientLock(owner)
  assert.ok(before!.seconds > 10 * MINUTE_S)

  const second = await message(owner)
  running.wake()
  // it counts as tried as often as the email it joins, so that it never delays a fresh email
  await rowWhen(second, ({ attempts }) => attempts === 1)
  const { seconds = 0, tries = 0 } = (await recipientLock(owner)) ?? {}
  assert.ok(seconds > 50 && seconds <= MINUTE_S, 'a new message brings the retry within a minute')
  assert.equal(tries, 1)
  isFailing = false
  await expireRecipientLock(owner)
  running.wake()
  for (const id of [first, second]) assert.equal((await rowWhen(id, isSent)).attempts, 2)

  const [failed, retried] = await inbox.to(email, 2)
  assert.deepEqual(listed(failed!.parsed.text), await refs([first]))
  assert.deepEqual(listed(retried!.parsed.text), await refs([first, second]))
  // the recipient's mail program must not mistake the fuller email for the one it may have
  assert.notEqual(retried!.parsed.messageId, failed!.parsed.messageId)
})

test('a rejected address fails all messages that wait for it, and is tried again for those after the pause', async (t) => {
  const { person, message, start, rowWhen, untilPutOff, expireRecipientLock } = await createMessageMailHarness(t)
  let gone = true
  const inbox = await openSmtpInbox(t, { recipient: () => (gone ? 550 : undefined) })
  const { id: owner } = await person()
  const ids = [await message(owner), await message(owner)]
  const running = start(inbox.url)
  for (const id of ids) assert.equal((await rowWhen(id, isFailed)).last_error, 'smtp_550')
  const later = await message(owner)
  running.wake()
  await untilPutOff([later])
  gone = false
  await expireRecipientLock(owner)
  running.wake()
  assert.equal((await rowWhen(later, isSent)).attempts, 1)
})

test('when a server rejects a text, the email is sent without it', async (t) => {
  const { person, queue, start, rowWhen } = await createMessageMailHarness(t)
  const inbox = await openSmtpInbox(t, { end: ({ raw }) => (raw.includes('EICAR') ? 554 : undefined) })
  const { id: owner, email } = await person()
  const ids = [
    await queue(owner, {}, 'message'),
    await queue(owner, {}, 'message'),
    await queue(owner, {}, 'reply'),
    await queue(owner, {}, 'nudge'),
    await queue(owner, {}, 'vehicle_approved'),
  ]
  start(inbox.url, {
    render: async (context, mail) => ({
      ...(await renderTestMail(context, mail))!,
      blocks: mail.preferences.email_message_text ? [{ quote: 'EICAR' }] : ['calm'],
    }),
  })
  for (const id of ids.slice(0, 4)) assert.equal((await rowWhen(id, isSent)).attempts, 2)
  // it contains nothing that could be left out
  assert.equal((await rowWhen(ids[4]!, isFailed)).last_error, 'smtp_554')
  const arrived = (await inbox.to(email)).filter(({ raw }) => !raw.includes('EICAR'))
  assert.equal(arrived.length, 3)
  for (const { parsed } of arrived) assert.match(parsed.text ?? '', /calm/)
})

test('a rejected text stays out even when the next try fails for another reason', async (t) => {
  const { person, queue, start, rowWhen } = await createMessageMailHarness(t)
  let tries = 0
  const inbox = await openSmtpInbox(t, {
    recipient: () => (++tries === 2 ? 450 : undefined),
    end: ({ raw }) => (raw.includes('EICAR') ? 554 : undefined),
  })
  const { id: owner } = await person()
  const id = await queue(owner, {}, 'reply')
  start(inbox.url, {
    render: async (context, mail) => ({
      ...(await renderTestMail(context, mail))!,
      blocks: [mail.preferences.email_message_text ? 'EICAR' : 'calm'],
    }),
  })
  assert.equal((await rowWhen(id, isSent)).attempts, 3)
  assert.equal(inbox.received.filter(({ raw }) => raw.includes('EICAR')).length, 1)
})

test('another worker takes over a recipient lock when its lease expires, even if the messages are gone', async (t) => {
  const { db, person, message, start, rowWhen } = await createMessageMailHarness(t)
  const inbox = await openSmtpInbox(t)
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
  const inbox = await openSmtpInbox(t)
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
  const inbox = await openSmtpInbox(t)
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
  const inbox = await openSmtpInbox(t, { recipient: () => 450 })
  const { id: owner } = await person()
  const [old, young] = [await message(owner), await message(owner)]
  await db`update outbox set created_at = now() - interval '72 hours 1 minute' where id = ${old}`
  start(inbox.url)
  assert.equal((await rowWhen(old, isFailed)).last_error, 'smtp_450')
  assert.equal((await rowWhen(young, ({ attempts }) => attempts > 1)).failed_at, null)
})

test('an email about several messages ends while they are deleted: both take its rows in the order of their ids', async (t) => {
  const { db, person } = await createMessageMailHarness(t)
  const { id: recipientId } = await person()
  const [token, ids] = [newId(), Array.from({ length: 4 }, newId)]
  // they lie in the table in the other order
  for (const id of ids.toReversed())
    await db`
      insert into outbox (id, kind, ref_id, recipient_id, lease_token)
      values (${id}, 'message', ${newId()}, ${recipientId}, ${token})`
  const lease = { mail: { kind: 'message', recipientId }, ids, token } as Lease
  const ended = await db.begin(async (tx) => {
    await tx`select from outbox where id = ${ids[0]!} for update`
    const outcome = db.begin(async (worker) => {
      // as the planner may choose: reads them as they lie
      await worker.unsafe('set local enable_indexscan = off; set local enable_bitmapscan = off')
      return markSent(worker, lease)
    })
    await waitForLockWaits(db)
    await tx`select from outbox where id = any(${ids}::uuid[]) order by id for update`
    return { outcome }
  })
  assert.equal(await ended.outcome, true)
})
