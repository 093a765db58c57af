import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../test/eventually.ts'
import { freePort } from '../test/free-port.ts'
import { postJson, signUpAt } from '../test/post-json.ts'
import { rawRequest } from '../test/raw-request.ts'
import { runningEmbedded } from './embedded.ts'
import { openPool } from './pool.ts'
import { readPostmaster } from './postmaster.ts'

const START_WITHIN_MS = 60_000
/** A busy machine's seconds; on one that is not, PostgreSQL is back after two. */
const BACK_WITHIN_MS = 30_000
/** Well below the 30 s after which the server gives a graceful end up. */
const STOP_WITHIN_MS = 20_000

/** The product on a data folder of its own, and the PostgreSQL it brings. Both end with the test at the latest. */
async function startProduct(t: TestContext, role: 'all' | 'worker') {
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-outage-'))
  chmodSync(dataDir, 0o711) // as root, the account PostgreSQL runs as must pass through
  const port = await freePort()
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
    if (left && (await runningEmbedded(join(dataDir, 'postgres')))) process.kill(left.pid, 'SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  await eventually(async () => {
    assert.equal(child.exitCode, null, said.err)
    return said.out.includes('\n') || undefined
  }, START_WITHIN_MS)
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

const isReady = (product: Product) =>
  eventually(async () => ((await product.ready()) === 200 ? true : undefined), BACK_WITHIN_MS)

/** PostgreSQL refuses a folder others may read; the one that runs does not look. */
const keepDown = (product: Product) => chmodSync(product.cluster, 0o755)
const REFUSED = /data directory ".+" has invalid permissions/
const refusals = ({ folder }: Product) =>
  [...readFileSync(join(folder, 'log'), 'utf8').matchAll(new RegExp(REFUSED, 'g'))].length

/** SIGTERM ends the product well and in time, and nothing of it runs any more. */
async function assertStops({ child, folder }: Product) {
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(STOP_WITHIN_MS) })
  child.kill('SIGTERM')
  assert.deepEqual(await gone, [0, null])
  assert.equal(await runningEmbedded(folder), null)
}

test('PostgreSQL killed under a server that is at work comes back by itself, with all that was acknowledged', async (t) => {
  const product = await startProduct(t, 'all')
  const [owner, sender] = [
    await signUpAt(product.url, 'owner@example.com'),
    await signUpAt(product.url, 'sender@example.com'),
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
    }, BACK_WITHIN_MS)
    assert.notEqual(pid, killed)
    await isReady(product)
    const then = acknowledged.length
    await eventually(async () => acknowledged.length >= then + 20 || undefined, BACK_WITHIN_MS)
  }
  over.abort()
  await sending
  assert.deepEqual([...refused], [503])

  const db = openPool((await runningEmbedded(product.folder)) ?? assert.fail('it does not run'), 1)
  t.after(() => db.end())
  const [found] = await db<{ n: number }[]>`
    select count(*)::int as n from messages where id = any(${acknowledged}::uuid[])`
  assert.equal(found!.n, acknowledged.length)
  // the connection that hears of ended sessions is back too
  await eventually(async () => {
    const listening = await db`select from pg_stat_activity where query = 'listen "platenote_live"'`
    return listening.length === 1 || undefined
  })
  await assertStops(product)
})

test('while it cannot start it is tried again, the reason is logged once, and it comes back when it can', async (t) => {
  const product = await startProduct(t, 'worker')
  keepDown(product)
  killPostgres(product)
  await eventually(async () => refusals(product) >= 4 || undefined, START_WITHIN_MS)
  assert.equal(await product.ready(), 503)
  assert.equal((await rawRequest(product.url, '/healthz')).status, 200)

  chmodSync(product.cluster, 0o700)
  await isReady(product)
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
  await assertStops(product)
})

test('a stop while PostgreSQL is away ends in time and leaves none', async (t) => {
  const product = await startProduct(t, 'worker')
  keepDown(product)
  killPostgres(product)
  await eventually(async () => refusals(product) >= 2 || undefined, START_WITHIN_MS)
  await assertStops(product)
})

test('a stop while PostgreSQL is just coming back ends in time and leaves none', async (t) => {
  const product = await startProduct(t, 'worker')
  const killed = killPostgres(product)
  await eventually(async () => {
    const { pid } = readPostmaster(product.cluster) ?? { pid: killed }
    return pid !== killed || undefined
  }, BACK_WITHIN_MS)
  await assertStops(product)
})
