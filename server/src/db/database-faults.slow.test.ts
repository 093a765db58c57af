import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '../test/database.ts'
import { busiestSecond, startDatabaseProxy } from '../test/database-proxy.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { findFreePort } from '../test/free-port.ts'
import { postJson, signUpOverHttp } from '../test/post-json.ts'
import { type ServerProcess, startProduct } from '../test/product.ts'
import { formatDatabaseUrl } from './database-url.ts'
import { newId } from './ids.ts'
import { openPool, type Pool } from './pool.ts'

/** Returns numbers like Math.random, the same ones in every run (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const ROUNDS = 200
const CLIENTS = 12
const REGISTRARS = 4
const SENDS_BETWEEN_FAULTS = 50
/** How long a client waits for a response before it repeats its send. */
const CLIENT_TIMEOUT_MS = 3_000
/** How soon after the database's return sends work again. */
const MAX_RETURN_MS = 2_000
const MAX_CONNECTIONS_PER_SECOND = 64
/** A stream reads what it has missed at the next heartbeat. */
const MAX_SILENCE_MS = 20_000
const PLATE = 'FAULTS'
const CAR = { plate: PLATE, make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }

type Installation = Awaited<ReturnType<typeof startInstallation>>

/** Starts two processes of one installation: one that people send through, and one that also works off the outbox. */
async function startInstallation(t: TestContext, databaseUrl: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-faults-'))
  const start = async (role: string) => {
    const port = await findFreePort()
    const product = await startProduct({
      PORT: String(port),
      ROLE: role,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      AUTH_AUTOCONFIRM: 'true',
      LIMIT_SCALE: '1000000',
      LOG_LEVEL: 'fatal',
    })
    return { product, url: `http://127.0.0.1:${port}` }
  }
  const web = await start('web')
  const other = await start('all')
  t.after(async () => {
    for (const { product } of [web, other]) await product.stop('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  const owner = await signUpOverHttp(web.url, 'owner@example.com')
  assert.equal((await postJson(`${web.url}/register-plate`, CAR, { token: owner })).body['status'], 'registered')
  const sender = await signUpOverHttp(web.url, 'sender@example.com')
  return { products: [web.product, other.product], url: web.url, streamUrl: other.url, owner, sender }
}

function assertAlive(products: ServerProcess[]) {
  for (const { child, err } of products)
    assert.deepEqual([child.exitCode, child.signalCode], [null, null], `a process ended:\n${err()}`)
}

/** Sends from several clients at the same time, each repeating a send under its key until it is acknowledged. */
function startLoad(t: TestContext, { url, sender, owner }: Pick<Installation, 'url' | 'sender' | 'owner'>) {
  const idByKey = new Map<string, string>()
  /** Every response but 201, and those that a client may not get at all. */
  const refusals = new Map<string, number>()
  let isStopped = false
  // a plate that is refused as taken was registered by a request that was reported as failed to the client
  let plateCount = 0

  const post = (path: string, body: object, token: string, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }).catch(() => undefined)
  const countRefusal = async (response: Response) => {
    const { code } = (await response.json()) as Record<string, string>
    const what = `${response.status} ${code} ${response.headers.has('retry-after') ? 'Retry-After' : ''}`
    refusals.set(what, (refusals.get(what) ?? 0) + 1)
  }

  /** Sends once; returns whether it was acknowledged. */
  const send = async (key: string): Promise<boolean> => {
    const message = { plate: PLATE, content: `under load ${key}` }
    const response = await post('/api/messages', message, sender, { 'idempotency-key': key })
    if (!response) return false
    if (response.status === 201) {
      idByKey.set(key, ((await response.json()) as { id: string }).id)
      return true
    }
    await countRefusal(response)
    return false
  }
  const client = async () => {
    while (!isStopped) {
      const key = newId()
      while (!(await send(key)) && !isStopped) await delay(20)
    }
  }
  /** Registers vehicles: each takes a transaction of several statements. */
  const registrar = async () => {
    while (!isStopped) {
      const car = { ...CAR, plate: `R${String(++plateCount).padStart(6, '0')}`, province: 'Quebec' }
      const response = await post('/register-plate', car, owner)
      if (response && response.status !== 200) await countRefusal(response)
      await delay(5)
    }
  }
  const clients = [...Array.from({ length: CLIENTS }, client), ...Array.from({ length: REGISTRARS }, registrar)]
  const stop = async () => {
    isStopped = true
    await Promise.all(clients)
  }
  // also after a failed assertion: clients that go on would keep the test run from ending
  t.after(stop)
  return {
    idByKey,
    refusals,
    stop,
    /** Resolves after a send that began now or later was acknowledged, with how long that took. */
    async nextAcknowledgedMs(): Promise<number> {
      const since = performance.now()
      const done = Promise.withResolvers<number>()
      let isDone = false
      while (!isDone && performance.now() - since < 30_000) {
        void send(newId()).then((ok) => {
          isDone ||= ok
          if (ok) done.resolve(performance.now() - since)
        })
        await Promise.race([done.promise, delay(100)])
      }
      return isDone ? done.promise : Number.POSITIVE_INFINITY
    },
  }
}

/** Asserts that everything acknowledged is stored whole, each once. */
async function verifyStored(db: Pool, idByKey: Map<string, string>) {
  const ids = [...idByKey.values()]
  assert.equal(new Set(ids).size, ids.length, 'two acknowledgements have one message id')
  const [found] = await db<{ messages: number; notifications: number; mails: number }[]>`
    select
      (select count(*) from messages where id = any(${ids}::uuid[]))::int as messages,
      (select count(*) from notifications where message_id = any(${ids}::uuid[]))::int as notifications,
      (select count(*) from outbox where kind = 'message' and ref_id = any(${ids}::uuid[]))::int as mails`
  assert.deepEqual({ ...found }, { messages: ids.length, notifications: ids.length, mails: ids.length })
}

/** Asserts how long sends did not work after each return of the database. */
function assertPrompt(returns: number[]) {
  const longest = Math.round(Math.max(...returns))
  assert.ok(longest < MAX_RETURN_MS, `sends worked again only after ${longest} ms`)
}

/** Every refusal of a send is one after which the client may retry. */
function assertOnlyUnavailable(refusals: Map<string, number>) {
  assert.deepEqual(
    [...refusals.keys()].filter((what) => what !== '503 busy Retry-After'),
    [],
  )
}

/** Opens a database for a test, dropped when it is over. */
async function openTestDatabase(t: TestContext): Promise<TestDatabase & { db: Pool }> {
  const database = await createTestDatabase()
  const db = openPool(database.connection, 2)
  t.after(async () => {
    await db.end({ timeout: 1 })
    await database.drop()
  })
  return { ...database, db }
}

test(`${ROUNDS} faults of the way to the database end no process and lose nothing acknowledged`, async (t) => {
  const { connection, db } = await openTestDatabase(t)
  const proxy = await startDatabaseProxy(connection)
  t.after(() => proxy.close())
  const installation = await startInstallation(t, formatDatabaseUrl(proxy.connection))
  const { products, streamUrl, owner } = installation
  const random = seededRandom(1)
  const outage = () => delay(50 + random() * 450)
  const faults: Record<string, () => Promise<void>> = {
    async closed() {
      proxy.closeAll()
    },
    async 'closed again and again'() {
      for (let i = 0; i < 10; i++) {
        proxy.closeAll()
        await delay(random() * 60)
      }
    },
    async 'accepted and closed'() {
      await proxy.setMode('close')
      await outage()
      await proxy.setMode('forward')
    },
    async refused() {
      await proxy.setMode('refuse')
      await outage()
      await proxy.setMode('forward')
    },
    async frozen() {
      await proxy.setMode('freeze')
      await outage()
      await proxy.setMode('forward')
    },
    async 'frozen and replaced'() {
      await proxy.setMode('freeze')
      await outage()
      proxy.abandonOpen()
      await proxy.setMode('forward')
    },
    async 'frozen and closed'() {
      await proxy.setMode('freeze')
      await outage()
      proxy.closeAll()
      await proxy.setMode('forward')
    },
    async 'cut in the middle of a message'() {
      for (let i = 0; i < 4; i++) {
        proxy.cutNextAfter(1 + Math.floor(random() * 400))
        await delay(random() * 40)
      }
    },
  }
  const stream = await openStream(streamUrl, owner)
  const load = startLoad(t, installation)
  const returns: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const name = Object.keys(faults)[round % Object.keys(faults).length]!
      const before = load.idByKey.size
      await eventually(async () => (load.idByKey.size >= before + SENDS_BETWEEN_FAULTS ? true : undefined), 30_000)
      await faults[name]!()
      const returnMs = await load.nextAcknowledgedMs()
      assertAlive(products)
      assert.ok(returnMs < MAX_RETURN_MS, `round ${round + 1}, ${name}: sends work after ${Math.round(returnMs)} ms`)
      returns.push(returnMs)
    }
  } finally {
    await load.stop()
  }
  const sorted = returns.toSorted((a, b) => a - b)
  t.diagnostic(
    `${load.idByKey.size} acknowledged, refused: ${JSON.stringify(Object.fromEntries(load.refusals))}; back after ${Math.round(sorted[ROUNDS >> 1]!)} ms (median), ${Math.round(sorted.at(-1)!)} ms at most; ${busiestSecond(proxy.accepted)} connections in the busiest second`,
  )
  assertPrompt(returns)
  assertOnlyUnavailable(load.refusals)
  await verifyStored(db, load.idByKey)
  assert.ok(busiestSecond(proxy.accepted) <= MAX_CONNECTIONS_PER_SECOND, 'connections are paced')
  // the stream of the other process has read whatever hints it missed, and its own hints work again
  const [{ last } = { last: 0 }] = await db<{ last: number }[]>`select max(number)::int as last from notifications`
  await eventually(async () => stream.events('notification').find(({ id }) => Number(id) === last), MAX_SILENCE_MS)
  assert.equal(new Set(stream.events('notification').map(({ id }) => id)).size, last)
  await stream.close()
})
