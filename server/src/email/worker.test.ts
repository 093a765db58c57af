import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../test/eventually.ts'
import { createMailHarness, isSent, type OutboxRow, renderTestMail } from '../test/mail-harness.ts'
import { openSmtpInbox, startSmtpInbox } from '../test/smtp-inbox.ts'

const wasTried = (row: OutboxRow) => row.last_error !== null

const WORKER_PROCESS = join(import.meta.dirname, '../test/mail-worker-process.ts')

/** Creates a harness of its own for each test, because workers of one would send the emails of another. */
async function createHarness(t: { after: (clean: () => Promise<void>) => void }) {
  const harness = await createMailHarness()
  t.after(() => harness.close())
  return harness
}

test('any number of addresses whose server stalls do not delay the others', async (t) => {
  const { db, person, queue, worker, rowWhen } = await createHarness(t)
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

test('two workers on one database send each email once', async (t) => {
  const { db, person, queue, worker } = await createHarness(t)
  const inbox = await openSmtpInbox(t)
  const people = await Promise.all(Array.from({ length: 4 }, () => person()))
  const ids = await Promise.all(Array.from({ length: 100 }, (_, i) => queue(people[i % 4]!.id)))
  worker(inbox.url)
  worker(inbox.url)

  await eventually(async () => {
    const [left] = await db`select count(*)::int as n from outbox where sent_at is null`
    return left!['n'] === 0 ? true : undefined
  })
  assert.deepEqual(
    inbox.received.map(({ parsed }) => parsed.messageId ?? '').sort(),
    ids.map((id) => `<${id}@platenote.test>`).sort(),
  )
})

test('a worker that is killed loses no mail: another one sends them when the leases expire', async (t) => {
  const { db, url, dataDir, person, queue, worker, row, rowWhen } = await createHarness(t)
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
  const { person, queue, worker, rowWhen } = await createHarness(t)
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
  const { person, queue, worker, row } = await createHarness(t)
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
  const { person, queue, worker, row, rowWhen } = await createHarness(t)
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
