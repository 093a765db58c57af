import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../test/eventually.ts'
import type { OutboxRow } from '../test/mail-harness.ts'
import { createMessageMailHarness, renderRefIds } from '../test/message-mail-harness.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'
import { MINUTE_S } from '../time.ts'
import { leaseMails } from './lease-mails.ts'

const isSent = (row: OutboxRow) => row.sent_at !== null
const isFailed = (row: OutboxRow) => row.failed_at !== null

test('a worker that died leaves the owner’s turn to another when its lease ends, also when its messages are gone', async (t) => {
  const { db, person, message, start, rowWhen } = await createMessageMailHarness(t)
  const inbox = await startSmtpInbox()
  t.after(() => inbox.close())
  const [kept, emptied] = [await person(), await person()]
  const left = await message(kept.id)
  const leave = (id: string) => db`
    insert into digests (recipient_id, next_at, tries, lease_token) values (${id}, now() + interval '30 s', 1, ${crypto.randomUUID()})`
  await leave(kept.id)
  await leave(emptied.id)
  await db`update outbox set attempts = 1, run_at = now() + interval '30 s', lease_token = ${crypto.randomUUID()}`
  const [more, other] = [await message(kept.id), await message(emptied.id)]
  const running = start(inbox.url)
  await eventually(async () => ((await db`select from outbox where run_at <= now()`).length === 0 ? true : undefined))
  assert.equal(inbox.received.length, 0)
  // half a minute later, without the waiting
  await db`update digests set next_at = now()`
  await db`update outbox set run_at = now()`
  running.wake()
  for (const id of [left, more, other]) await rowWhen(id, isSent)
  assert.equal((await inbox.to(kept.email)).length, 1)
  assert.equal((await inbox.to(emptied.email)).length, 1)
})

test('a worker that is late for its lease changes neither the messages nor the turn', async (t) => {
  const { person, message, start, rowWhen, turn, turnComes } = await createMessageMailHarness(t)
  const inbox = await startSmtpInbox()
  t.after(() => inbox.close())
  const { id: owner } = await person()
  const mail = await message(owner)
  const [late, present] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = start(inbox.url, { render: () => late.promise.then(() => null) })
  await rowWhen(mail, ({ lease_token }) => lease_token !== null)
  await turnComes(owner)
  start(inbox.url, { render: (...args) => present.promise.then(() => renderRefIds(...args)) })
  const taken = await rowWhen(mail, ({ attempts }) => attempts === 2)
  const held = await turn(owner)

  late.resolve()
  await first.stop()
  assert.equal((await rowWhen(mail, () => true)).lease_token, taken.lease_token)
  const after = await turn(owner)
  assert.deepEqual([after?.lease_token, after?.tries], [held?.lease_token, 2])
  present.resolve()
  await rowWhen(mail, isSent)
})

test('a mail the owner wants no more ends like one that left, and takes as long', async (t) => {
  const { person, message, start, rowWhen, turn, putOff } = await createMessageMailHarness(t)
  const { id: owner } = await person()
  const running = start(undefined, { render: async () => null })
  const first = await message(owner)
  running.wake()
  await rowWhen(first, isSent)
  assert.ok((await turn(owner))!.seconds > 4 * MINUTE_S)
  const second = await message(owner)
  running.wake()
  await putOff([second])
})

test('an account deleted while its mail is on its way, and one deleted while it waits, disturb nobody', async (t) => {
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
  // as a deletion under way: the account is held, what waits for it is not looked at, and nobody waits
  const held = Promise.withResolvers<void>()
  const deleting = db.begin(async (tx) => {
    await tx`select from auth.users where id = ${leaving.id} for update`
    held.resolve()
    await gate.promise
    await tx`delete from auth.users where id = ${leaving.id}`
  })
  await held.promise
  await message(staying.id)
  const other = await message(staying.id)
  running.wake()
  await rowWhen(other, isSent)
  gate.resolve()
  await deleting
  assert.equal((await db`select from digests where recipient_id = ${leaving.id}`).length, 0)
  assert.equal((await db`select from outbox where recipient_id = ${leaving.id}`).length, 0)
})

test('72 hours without success end a message’s own wait, not that of the younger ones in the same mail', async (t) => {
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

test('of several workers that look at the same moment one gets the owner’s turn, and with it all that waits', async (t) => {
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
