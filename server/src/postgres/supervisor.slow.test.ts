import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { eventually } from '../test/eventually.ts'
import { findFreePort } from '../test/free-port.ts'
import { postJson, signUpOverHttp } from '../test/post-json.ts'
import { rawRequest } from '../test/raw-request.ts'
import { findRunningEmbedded } from './embedded-server.ts'
import { readPostmaster } from './postmaster.ts'

const START_TIMEOUT_MS = 60_000
/** A busy machine's seconds; on one that is not, PostgreSQL is back after two. */
const RECOVERY_TIMEOUT_MS = 30_000
/** Well below the 30 s after which the server gives a graceful end up. */
const STOP_TIMEOUT_MS = 20_000

/** The product on a data folder of its own, and the PostgreSQL it brings. Both end with the test at the latest. */
async function startProduct(t: TestContext, role: 'all' | 'worker') {
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-outage-'))
  chmodSync(dataDir, 0o711) // as root, the account PostgreSQL runs as must pass through
  const port = await findFreePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(port),
      ROLE: role,
      AUTH_AUTOCONFIRM: 'true',
      LIMIT_SCALE: '1000',
      LOG_LEVEL: 'warn',
    },
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk
  })
  const cluster = () => realpathSync(join(dataDir, 'postgres', 'data'))
  t.after(async () => {
    await kill(child)
    const left = readPostmaster(cluster())
    if (left && (await findRunningEmbedded(join(dataDir, 'postgres')))) process.kill(left.pid, 'SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  await eventually(async () => {
    assert.equal(child.exitCode, null, said.err)
    return said.out.includes('\n') || undefined
  }, START_TIMEOUT_MS)
  const url = `http://127.0.0.1:${port}`
  return {
    child,
    url,
    folder: join(dataDir, 'postgres'),
    cluster: cluster(),
    ready: async () => (await rawRequest(url, '/readyz')).status,
    logged: () =>
      said.err
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { msg: string; reason?: string }),
  }
}
type Product = Awaited<ReturnType<typeof startProduct>>

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const postmasterOf = ({ cluster }: Product) => readPostmaster(cluster) ?? assert.fail('no PostgreSQL')

function killPostgres(product: Product): number {
  const { pid } = postmasterOf(product)
  process.kill(pid, 'SIGKILL')
  return pid
}

const waitUntilReady = (product: Product) =>
  eventually(async () => ((await product.ready()) === 200 ? true : undefined), RECOVERY_TIMEOUT_MS)

/** PostgreSQL refuses a folder others may read; the one that runs does not look. */
const preventRestart = (product: Product) => chmodSync(product.cluster, 0o755)
const REFUSED = /data directory ".+" has invalid permissions/
const countRefusals = ({ folder }: Product) =>
  [...readFileSync(join(folder, 'log'), 'utf8').matchAll(new RegExp(REFUSED, 'g'))].length

/** SIGTERM ends the product well and in time, and nothing of it runs any more. */
async function assertStopsCleanly({ child, folder }: Product) {
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) })
  child.kill('SIGTERM')
  assert.deepEqual(await gone, [0, null])
  assert.equal(await findRunningEmbedded(folder), null)
}

test('PostgreSQL killed under a server that is at work comes back by itself, with all that was acknowledged', async (t) => {
  const product = await startProduct(t, 'all')
  const [owner, sender] = [
    await signUpOverHttp(product.url, 'owner@example.com'),
    await signUpOverHttp(product.url, 'sender@example.com'),
  ]
  const car = { plate: 'BACK123', make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
  assert.equal((await postJson(`${product.url}/register-plate`, car, { token: owner })).body['status'], 'registered')

  const acknowledged: string[] = []
  const refused = new Set<number>()
  const over = new AbortController()
  t.after(() => over.abort())
  const sending = (async () => {
    for (let i = 0; !over.signal.aborted; i++) {
      const message = { plate: car.plate, content: `Message ${i}` }
      const { status, body } = await postJson(`${product.url}/api/messages`, message, { token: sender })
      if (status === 201) acknowledged.push(body['id'] ?? '')
      else refused.add(status)
    }
  })()
  for (let round = 0; round < 2; round++) {
    const before = acknowledged.length
    await eventually(async () => acknowledged.length >= before + 20 || undefined)
    const killed = killPostgres(product)
    const { pid } = await eventually(async () => {
      const now = readPostmaster(product.cluster)
      return now && now.pid !== killed && now.pid !== product.child.pid ? now : undefined
    }, RECOVERY_TIMEOUT_MS)
    assert.notEqual(pid, killed)
    await waitUntilReady(product)
    const then = acknowledged.length
    await eventually(async () => acknowledged.length >= then + 20 || undefined, RECOVERY_TIMEOUT_MS)
  }
  over.abort()
  await sending
  assert.deepEqual([...refused], [503])

  const db = openPool((await findRunningEmbedded(product.folder)) ?? assert.fail('it does not run'), 1)
  t.after(() => db.end())
  const [found] = await db<{ n: number }[]>`
    select count(*)::int as n from messages where id = any(${acknowledged}::uuid[])`
  assert.equal(found!.n, acknowledged.length)
  // the connection that hears of ended sessions is back too
  await eventually(async () => {
    const listening = await db`select from pg_stat_activity where query = 'listen "platenote_live"'`
    return listening.length === 1 || undefined
  })
  await assertStopsCleanly(product)
})

test('while it cannot start it is tried again, the reason is logged once, and it comes back when it can', async (t) => {
  const product = await startProduct(t, 'worker')
  preventRestart(product)
  killPostgres(product)
  await eventually(async () => countRefusals(product) >= 4 || undefined, START_TIMEOUT_MS)
  assert.equal(await product.ready(), 503)
  assert.equal((await rawRequest(product.url, '/healthz')).status, 200)

  chmodSync(product.cluster, 0o700)
  await waitUntilReady(product)
  const ours = () => product.logged().filter(({ msg }) => msg.startsWith('the embedded PostgreSQL'))
  await eventually(async () => ours().length >= 3 || undefined)
  assert.deepEqual(
    ours().map(({ msg }) => msg),
    [
      'the embedded PostgreSQL has ended; it is started again',
      'the embedded PostgreSQL does not start; it is tried again',
      'the embedded PostgreSQL runs again',
    ],
  )
  assert.match(ours()[1]!.reason ?? '', REFUSED)
  await assertStopsCleanly(product)
})

test('a stop while PostgreSQL is away ends in time and leaves none', async (t) => {
  const product = await startProduct(t, 'worker')
  preventRestart(product)
  killPostgres(product)
  await eventually(async () => countRefusals(product) >= 2 || undefined, START_TIMEOUT_MS)
  await assertStopsCleanly(product)
})

test('a stop while PostgreSQL is just coming back ends in time and leaves none', async (t) => {
  const product = await startProduct(t, 'worker')
  const killed = killPostgres(product)
  await eventually(async () => {
    const { pid } = readPostmaster(product.cluster) ?? { pid: killed }
    return pid !== killed || undefined
  }, RECOVERY_TIMEOUT_MS)
  await assertStopsCleanly(product)
})
