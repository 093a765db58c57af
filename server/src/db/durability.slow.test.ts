import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findRunningEmbedded } from '../postgres/embedded-server.ts'
import { readPostmaster } from '../postgres/postmaster.ts'
import { createTestDatabase } from '../test/database.ts'
import { findFreePort } from '../test/free-port.ts'
import { postJson, signUpOverHttp } from '../test/post-json.ts'
import { type ServerProcess, startProduct } from '../test/product.ts'
import { seededRandom } from '../test/seeded-random.ts'
import { newId } from './ids.ts'
import { openPool, type Pool } from './pool.ts'

/** With the embedded PostgreSQL, which every second round is killed too, and with one of its own. */
const EMBEDDED_ROUNDS = 10
const EXTERNAL_ROUNDS = 10
const SENDS_PER_ROUND = 1_000
const CONCURRENCY = 32
const PORT = await findFreePort()
const URL = `http://127.0.0.1:${PORT}`

/** Starts the product without a mail worker, so that every outbox row stays and can be counted. */
function startWebServer(env: Record<string, string>): Promise<ServerProcess & { readyLine: string }> {
  return startProduct(
    {
      PORT: String(PORT),
      ROLE: 'web',
      AUTH_AUTOCONFIRM: 'true',
      LIMIT_SCALE: '100000',
      LOG_LEVEL: 'error',
      ...env,
    },
    { stderr: 'inherit' },
  )
}

type Send = { key: string; content: string }

/** Sends until the server dies or all are sent; returns the ids of acknowledged messages by key, and the sends without a response. */
async function sendAll(token: string, plate: string, sends: Send[], onAcknowledged: (count: number) => void) {
  const idByKey = new Map<string, string>()
  const unacknowledged: Send[] = []
  const queue = [...sends]
  const worker = async () => {
    for (let send = queue.shift(); send; send = queue.shift()) {
      try {
        const { status, body } = await postJson(
          `${URL}/api/messages`,
          { plate, content: send.content },
          { token, key: send.key },
        )
        assert.equal(status, 201, JSON.stringify(body))
        idByKey.set(send.key, body['id'] ?? '')
        onAcknowledged(idByKey.size)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        unacknowledged.push(send) // the connection broke: it may have been stored or not
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return { idByKey, unacknowledged }
}

/** Asserts that nothing acknowledged is missing, and that everything is stored exactly once. */
async function verifyDurability(db: Pool, acknowledged: Map<string, string>) {
  const ids = [...acknowledged.values()]
  assert.equal(new Set(ids).size, ids.length, 'two acknowledgements have one message id')
  const [found] = await db<{ messages: number; notifications: number; mails: number; keys: number }[]>`
    select
      (select count(*) from messages where id = any(${ids}::uuid[]))::int as messages,
      (select count(*) from notifications where message_id = any(${ids}::uuid[]))::int as notifications,
      (select count(*) from outbox where kind = 'message' and ref_id = any(${ids}::uuid[]))::int as mails,
      (select count(distinct idempotency_key) from messages where id = any(${ids}::uuid[]))::int as keys`
  const all = { messages: ids.length, notifications: ids.length, mails: ids.length, keys: ids.length }
  assert.deepEqual({ ...found }, all)
  // no part of a send is missing, also where the acknowledgement was lost
  const [torn] = await db<{ n: number }[]>`
    select count(*)::int as n from messages m
    where (select count(*) from notifications n where n.message_id = m.id) <> 1
      or (select count(*) from outbox o where o.kind = 'message' and o.ref_id = m.id) <> 1`
  assert.equal(torn!.n, 0, 'a message without its notification or mail')
}

async function runKillRounds(
  t: TestContext,
  rounds: number,
  env: Record<string, string>,
  open: () => Promise<Pool>,
  afterKill: (round: number) => Promise<void>,
) {
  const random = seededRandom(rounds)
  let product = await startWebServer(env)
  try {
    assert.equal(product.readyLine, `PlateNote is ready at http://localhost:${PORT}`)
    const owner = await signUpOverHttp(URL, 'owner@example.com')
    const sender = await signUpOverHttp(URL, 'sender@example.com')
    const car = { plate: 'DURABLE', make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
    assert.equal((await postJson(`${URL}/register-plate`, car, { token: owner })).body['status'], 'registered')
    const acknowledged = new Map<string, string>()
    let retries: Send[] = []
    for (let round = 0; round < rounds; round++) {
      // sends without a response are retried under their keys, as a browser does
      const sends = [
        ...retries,
        ...Array.from({ length: SENDS_PER_ROUND }, (_, i) => ({
          key: newId(),
          content: `round ${round}, message ${i}`,
        })),
      ]
      const killAt = Math.floor(SENDS_PER_ROUND * (0.2 + random() * 0.6))
      t.diagnostic(`round ${round + 1} of ${rounds}: killed after ${killAt} acknowledgements`)
      const kill: { done?: Promise<unknown> } = {}
      const { idByKey, unacknowledged } = await sendAll(sender, car.plate, sends, (count) => {
        if (count >= killAt) kill.done ??= product.stop('SIGKILL')
      })
      assert.ok(kill.done, 'the server was killed in the middle')
      await kill.done
      assert.ok(unacknowledged.length > 0, 'the kill came too late to matter')
      await afterKill(round)
      for (const [key, id] of idByKey) acknowledged.set(key, id)
      retries = unacknowledged.slice(0, CONCURRENCY)

      product = await startWebServer(env)
      const db = await open()
      await verifyDurability(db, acknowledged)
      await db.end()
    }
    const { idByKey, unacknowledged } = await sendAll(sender, car.plate, retries, () => {})
    assert.equal(unacknowledged.length, 0)
    for (const [key, id] of idByKey) acknowledged.set(key, id)
    const db = await open()
    await verifyDurability(db, acknowledged)
    await db.end()
  } finally {
    await product.stop()
  }
}

test(`kill -9 in the middle of ${SENDS_PER_ROUND} sends, ${EMBEDDED_ROUNDS} times, on the embedded PostgreSQL, which is killed every second time`, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-durable-'))
  chmodSync(dataDir, 0o755) // as root, PostgreSQL runs under another account and must pass through
  const folder = join(dataDir, 'postgres')
  try {
    await runKillRounds(
      t,
      EMBEDDED_ROUNDS,
      { DATA_DIR: dataDir },
      async () => openPool((await findRunningEmbedded(folder))!, 2),
      async (round) => {
        if (round % 2 === 0) return
        const connection = await findRunningEmbedded(folder)
        assert.ok(connection, 'PostgreSQL outlives the server')
        const db = openPool(connection, 1)
        const [{ data_directory } = {}] = await db<{ data_directory: string }[]>`show data_directory`
        await db.end()
        process.kill(readPostmaster(data_directory!)!.pid, 'SIGKILL')
      },
    )
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test(`kill -9 in the middle of ${SENDS_PER_ROUND} sends, ${EXTERNAL_ROUNDS} times, on a separate PostgreSQL`, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-durable-'))
  const database = await createTestDatabase()
  try {
    await runKillRounds(
      t,
      EXTERNAL_ROUNDS,
      { DATA_DIR: dataDir, DATABASE_URL: database.url },
      async () => openPool(database.connection, 2),
      async () => {},
    )
  } finally {
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
