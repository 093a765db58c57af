import assert from 'node:assert/strict'
import { chmodSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { temporaryFolder } from '../test/closing.ts'
import { eventually } from '../test/eventually.ts'
import { fieldsOf } from '../test/fields.ts'
import { findFreePort } from '../test/free-port.ts'
import { type ServerProcess, startProduct } from '../test/product.ts'
import { rawRequest } from '../test/raw-request.ts'
import { MINUTE_MS, SECOND_MS, withTimeout } from '../time.ts'
import { findRunningEmbedded } from './embedded-server.ts'
import { readPostmaster } from './postmaster.ts'

const START_TIMEOUT_MS = MINUTE_MS
/** For a busy machine; on an idle one PostgreSQL is back after two seconds. */
const RECOVERY_TIMEOUT_MS = 30 * SECOND_MS
/** Well below the 30 s after which the server gives up a graceful stop. */
const STOP_TIMEOUT_MS = 20 * SECOND_MS

/** Starts the product on a data folder of its own, with its embedded PostgreSQL. Both end with the test at the latest. */
async function startWithPostgres(t: TestContext, role: 'all' | 'worker') {
  const dataDir = temporaryFolder('platenote-outage-')
  const port = await findFreePort()
  const cluster = () => realpathSync(join(dataDir, 'postgres', 'data'))
  let server: ServerProcess | undefined
  t.after(async () => {
    await server?.stop('SIGKILL')
    const left = readPostmaster(cluster())
    if (left && (await findRunningEmbedded(join(dataDir, 'postgres')))) process.kill(left.pid, 'SIGKILL')
  })
  const product = await startProduct({
    DATA_DIR: dataDir,
    PORT: String(port),
    ROLE: role,
    AUTH_AUTOCONFIRM: 'true',
    LIMIT_SCALE: '1000',
    LOG_LEVEL: 'warn',
  })
  server = product
  const url = `http://127.0.0.1:${port}`
  return {
    ...product,
    url,
    folder: join(dataDir, 'postgres'),
    cluster: cluster(),
    ready: async () => (await rawRequest(url, '/readyz')).status,
    logged: () =>
      product
        .err()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { msg: string; reason?: string }),
  }
}
type Product = Awaited<ReturnType<typeof startWithPostgres>>

const postmasterOf = ({ cluster }: Product) => readPostmaster(cluster) ?? assert.fail('no PostgreSQL')

function killPostgres(product: Product): number {
  const { pid } = postmasterOf(product)
  process.kill(pid, 'SIGKILL')
  return pid
}

const waitUntilReady = (product: Product) =>
  eventually(async () => ((await product.ready()) === 200 ? true : undefined), RECOVERY_TIMEOUT_MS)

/** Makes the folder readable for others: PostgreSQL then refuses to start, but a running one does not notice. */
const preventRestart = (product: Product) => chmodSync(product.cluster, 0o755)
const REFUSED = /data directory ".+" has invalid permissions/
const countRefusals = ({ folder }: Product) =>
  [...readFileSync(join(folder, 'log'), 'utf8').matchAll(new RegExp(REFUSED, 'g'))].length

/** Asserts that SIGTERM ends the product cleanly and in time, and that nothing of it runs any more. */
async function assertStopsCleanly({ stop, folder }: Product) {
  assert.deepEqual(await withTimeout(stop(), STOP_TIMEOUT_MS), [0, null])
  assert.equal(await findRunningEmbedded(folder), null)
}

// each has a folder and a port of its own, and waits most of the time
describe('an embedded PostgreSQL that dies under its server', { concurrency: true }, () => {
  test('is retried while it cannot start, with each reason logged once, and comes back when it can', async (t) => {
    const product = await startWithPostgres(t, 'worker')
    preventRestart(product)
    killPostgres(product)
    await eventually(async () => countRefusals(product) >= 4 || undefined, START_TIMEOUT_MS)
    assert.equal(await product.ready(), 503)
    assert.equal((await rawRequest(product.url, '/healthz')).status, 200)

    chmodSync(product.cluster, 0o700)
    await waitUntilReady(product)
    const ownEntries = () => product.logged().filter(({ msg }) => msg.startsWith('the embedded PostgreSQL'))
    await eventually(async () => ownEntries().length >= 3 || undefined)
    assert.deepEqual(fieldsOf(ownEntries(), 'msg'), [
      'the embedded PostgreSQL has ended; it is started again',
      'the embedded PostgreSQL does not start; it is tried again',
      'the embedded PostgreSQL runs again',
    ])
    assert.match(ownEntries()[1]!.reason ?? '', REFUSED)
    await assertStopsCleanly(product)
  })

  test('is not left running by a stop while it is restarting', async (t) => {
    const product = await startWithPostgres(t, 'worker')
    const killed = killPostgres(product)
    await eventually(async () => {
      const { pid } = readPostmaster(product.cluster) ?? { pid: killed }
      return pid !== killed || undefined
    }, RECOVERY_TIMEOUT_MS)
    await assertStopsCleanly(product)
  })
})
