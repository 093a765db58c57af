import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { LEASE_DURATION_S } from '../jobs/lease-worker.ts'
import { eventually } from '../test/eventually.ts'
import { isFailed, isSent, type OutboxRow, renderTestMail } from '../test/mail-harness.ts'
import { createMessageMailHarness, endDigestPause, renderRefIds } from '../test/message-mail-harness.ts'
import { openSmtpInbox, startSmtpInbox } from '../test/smtp-inbox.ts'
import { HOUR_MS, MINUTE_S, SECOND_MS } from '../time.ts'

const wasTried = (row: OutboxRow) => row.last_error !== null

const WORKER_PROCESS = join(import.meta.dirname, '../test/mail-worker-process.ts')

// Each test has a harness of its own, because workers of one would send the emails of another.

test('any number of addresses whose server stalls do not delay the others', async (t) => {
  const { db, person, queue, worker, rowWhen } = await createMessageMailHarness(t)
  const inbox = await openSmtpInbox(t, { recipient: (to) => (to.startsWith('stalled') ? 'stall' : undefined) })
  const stalled = await Promise.all(Array.from({ length: 12 }, (_, i) => person('en', `stalled-${i}@example.com`)))
  const stalledIds = await Promise.all(stalled.map(({ id }) => queue(id)))
  // as after a first failure; from now on each of them would occupy a slot for a minute
  await db`update outbox set attempts = 1`
  const running = worker(inbox.url, { timeoutMs: 60_000 })
  await eventually(async () => {
    const [leased] = await db`select count(*)::int as n from outbox where lease_token is not null`
    return leased!['n'] >= 3 ? true : undefined
  })
  const { id, email } = await person()
  const ids = await Promise.all(Array.from({ length: 10 }, () => queue(id)))
  running.wake()

  assert.equal((await inbox.to(email, 10)).length, 10)
  await Promise.all(ids.map((mail) => rowWhen(mail, isSent)))
  const [unsent] = await db`select count(*)::int as n from outbox where id = any(${stalledIds}) and sent_at is null`
  assert.equal(unsent!['n'], 12)
  await inbox.close() // disconnects the stalled ones, so that the worker can stop
})

test('a worker that is killed loses no mail: another one sends them when the leases expire', async (t) => {
  const { db, url, dataDir, person, queue, worker, row, rowWhen } = await createMessageMailHarness(t)
  const stalling = await startSmtpInbox({ end: () => 'stall' })
  const inbox = await startSmtpInbox()
  t.after(() => Promise.all([stalling.close(), inbox.close()]).then(() => {}))
  const { id, email } = await person()
  const ids = await Promise.all(Array.from({ length: 3 }, () => queue(id)))
  const killed = spawn(process.execPath, [WORKER_PROCESS, url, dataDir, stalling.url], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  t.after(() => void killed.kill('SIGKILL'))
  await stalling.to(email, 3) // received by the server, without a response yet
  killed.kill('SIGKILL')
  await once(killed, 'exit')

  const running = worker(inbox.url)
  const fresh = await queue(id)
  running.wake()
  await rowWhen(fresh, isSent)
  for (const mail of ids) assert.ok((await row(mail))?.lease_token, 'a lease is valid until it expires')
  // as if the lease had ended
  await db`update outbox set run_at = now() where id = any(${ids})`
  running.wake()
  for (const mail of ids) assert.equal((await rowWhen(mail, isSent)).attempts, 2)
  assert.equal(inbox.received.length, 4)
})

test('a mail server that fails gets every email once it has recovered, under the Message-ID of the first try', async (t) => {
  const { person, queue, worker, rowWhen } = await createMessageMailHarness(t)
  let isFailing = true
  const inbox = await startSmtpInbox({ end: () => (isFailing ? 'cut' : undefined) }) // after it has the whole email
  t.after(() => inbox.close())
  const people = await Promise.all(Array.from({ length: 3 }, () => person()))
  const ids = await Promise.all(people.flatMap(({ id }) => [queue(id), queue(id, {}, 'message')]))
  worker(inbox.url, { retryBaseMs: 100 })
  // all of them were tried, and none was lost or given up
  for (const id of ids) assert.match((await rowWhen(id, wasTried)).last_error!, /^(?:econnection|esocket|econnreset)$/)
  isFailing = false
  for (const id of ids) await rowWhen(id, isSent)
  const arrived = new Set(inbox.received.map(({ parsed }) => parsed.messageId))
  assert.deepEqual([...arrived].sort(), ids.map((id) => `<${id}@platenote.test>`).sort())
})

test('a stop waits for the emails in flight and takes no more', async (t) => {
  const { person, queue, worker, row } = await createMessageMailHarness(t)
  const inbox = await openSmtpInbox(t)
  const { id } = await person()
  const ids = await Promise.all(Array.from({ length: 20 }, () => queue(id)))
  let stopping: Promise<void> | undefined
  const running = worker(inbox.url, {
    render: async (...args) => {
      stopping ??= Promise.resolve().then(() => running.stop())
      return renderTestMail(...args)
    },
  })
  await eventually(async () => (stopping ? true : undefined))
  await stopping
  const rows = await Promise.all(ids.map(row))
  const sent = rows.filter((found) => found && isSent(found)).length
  assert.ok(sent >= 1 && sent <= 5, `${sent} sent`)
  assert.equal(inbox.received.length, sent)
  assert.equal(rows.filter((found) => found?.lease_token).length, 0)
})

test('an email whose renderer returns nothing is dropped, and one that cannot be written is tried again', async (t) => {
  const { person, queue, worker, row, rowWhen } = await createMessageMailHarness(t)
  const { id } = await person()
  const [unwanted, broken] = [await queue(id, { subject: 'unwanted' }), await queue(id, { subject: 'broken' })]
  let repaired = false
  worker(undefined, {
    render: async (context, mail) => {
      if (mail.data['subject'] === 'unwanted') return null
      if (mail.data['subject'] === 'broken' && !repaired) throw new Error('secret words of the message')
      return renderTestMail(context, mail)
    },
  })
  await eventually(async () => ((await row(unwanted)) === undefined ? true : undefined))
  assert.equal((await rowWhen(broken, wasTried)).last_error, 'fault')
  repaired = true
  await rowWhen(broken, isSent)
})

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
  const stopped = first.stop() // takes no more: it could be the one that takes over
  await expireRecipientLock(owner)
  start(inbox.url, { render: (...args) => present.promise.then(() => renderRefIds(...args)) })
  const taken = await rowWhen(mail, ({ attempts }) => attempts === 2)
  const before = await recipientLock(owner)

  late.resolve()
  await stopped
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
