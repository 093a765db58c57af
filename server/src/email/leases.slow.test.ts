import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { formatDatabaseUrl } from '../test/database-url.ts'
import { eventually } from '../test/eventually.ts'
import { createMailHarness, isSent } from '../test/mail-harness.ts'
import { spawnServerFile } from '../test/product.ts'
import { startHoldingInbox } from '../test/smtp-inbox.ts'
import { MINUTE_MS } from '../time.ts'

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
