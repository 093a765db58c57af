import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { formatDatabaseUrl } from '../db/database-url.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { eventually } from '../test/eventually.ts'
import { createMailHarness, isSent } from '../test/mail-harness.ts'
import { spawnServerFile } from '../test/product.ts'
import { startHoldingInbox, startSmtpInbox } from '../test/smtp-inbox.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'

/** Two leases, three starts of a process, and time to send. */
const AFTER_TWO_KILLS_MS = 40 * SECOND_MS
/** Longer than a lease lasts that nobody renews, and shorter than the worker waits for a mail server. */
const LONG_S = 14

/** Creates an outbox whose workers are processes of their own. */
async function createWorkers(t: TestContext) {
  const harness = await createMailHarness()
  t.after(() => harness.close())
  return {
    ...harness,
    startWorker(smtpUrl: string, databaseUrl = harness.url) {
      const worker = spawnServerFile('test/mail-worker-process.ts', [databaseUrl, harness.dataDir, smtpUrl], {})
      t.after(() => worker.stop('SIGKILL'))
      return worker
    },
    /** Waits until so long after a mail was leased. */
    untilLong: (id: string) =>
      eventually(async () => {
        const [row] = await harness.db`
          select from outbox where id = ${id} and due_since < now() - ${LONG_S} * interval '1 second'`
        return row
      }, MINUTE_MS),
  }
}

test('a mail whose worker is killed twice in a row comes soon', async (t) => {
  const { person, queue, startWorker } = await createWorkers(t)
  const reached = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let kills = 0
  const stalling = await startSmtpInbox({
    recipient: (address) => {
      if (address === owner.email) reached[kills]?.resolve()
      return 'stall'
    },
  })
  const inbox = await startSmtpInbox()
  t.after(() => Promise.all([stalling.close(), inbox.close()]).then(() => {}))
  const [someone, owner] = [await person(), await person()]
  await queue(someone.id)
  await queue(owner.id, {}, 'message')
  const startedAt = performance.now()
  for (; kills < reached.length; kills++) {
    const worker = startWorker(stalling.url)
    await reached[kills]!.promise
    await worker.stop('SIGKILL')
  }
  startWorker(inbox.url)
  for (const { email } of [someone, owner]) await inbox.to(email, 1, 2 * MINUTE_MS)
  const tookMs = performance.now() - startedAt
  t.diagnostic(`${Math.round(tookMs)} ms`)
  assert.ok(tookMs < AFTER_TWO_KILLS_MS, `${tookMs} ms`)
})

test('what a worker takes long to send is not sent by another', async (t) => {
  const { person, queue, rowWhen, startWorker, untilLong } = await createWorkers(t)
  const inbox = await startHoldingInbox(t)
  const people = [await person(), await person()]
  const ids = [await queue(people[0]!.id), await queue(people[1]!.id, {}, 'message')]
  for (let i = 0; i < 2; i++) startWorker(inbox.url)
  for (const id of ids) await untilLong(id)
  inbox.release()
  for (const id of ids) assert.equal((await rowWhen(id, isSent)).attempts, 1)
  assert.deepEqual(inbox.arrived.sort(), people.map(({ email }) => email).sort())
})

test('what was sent while the database was away is noted before another worker takes it', async (t) => {
  const { person, queue, rowWhen, startWorker, untilLong, connection } = await createWorkers(t)
  const proxy = await startDatabaseProxy(connection)
  t.after(() => proxy.close())
  const inbox = await startHoldingInbox(t)
  const people = await Promise.all(Array.from({ length: 5 }, () => person()))
  const ids = await Promise.all(people.map(({ id }) => queue(id)))
  for (let i = 0; i < 4; i++) startWorker(inbox.url, formatDatabaseUrl(proxy.connection))
  await eventually(async () => (inbox.arrived.length === people.length ? true : undefined))
  await proxy.setMode('refuse')
  inbox.release()
  for (const id of ids) await untilLong(id)
  await proxy.setMode('forward')
  for (const id of ids) assert.equal((await rowWhen(id, isSent)).attempts, 1)
  const last = await person()
  await rowWhen(await queue(last.id), isSent) // the workers read the outbox again
  assert.deepEqual(inbox.arrived.sort(), [...people, last].map(({ email }) => email).sort())
})
