import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { temporaryFolder } from './test/closing.ts'
import { createTestDatabase, openTestPool, type TestDatabase } from './test/database.ts'
import { findFreePort } from './test/free-port.ts'
import { type ServerProcess, spawnProduct } from './test/product.ts'
import { rawRequest } from './test/raw-request.ts'
import { MINUTE_MS, withTimeout } from './time.ts'

const folder = temporaryFolder('platenote-main-')
let database: TestDatabase
/** Occupies a port while the tests run. */
let portHolder: Server
let takenPort: number

before(async () => {
  database = await createTestDatabase()
  portHolder = createServer().listen(0, '127.0.0.1')
  await once(portHolder, 'listening')
  takenPort = (portHolder.address() as AddressInfo).port
})
after(async () => {
  portHolder.close()
  await database.drop()
})

/** Starts the server as a separate process with these settings and no others. It ends with its test at the latest. */
function spawnServer(t: TestContext, settings: Record<string, string>): ServerProcess {
  const server = spawnProduct({ DATA_DIR: join(folder, 'data'), ROLE: 'worker', ...settings }, { cwd: folder })
  t.after(() => server.child.kill('SIGKILL'))
  return server
}

async function waitForExit(server: ServerProcess) {
  const [code] = await withTimeout(server.ended, 5 * MINUTE_MS)
  return { code, out: server.out(), err: server.err() }
}

async function waitForReady(server: ServerProcess): Promise<ServerProcess> {
  await server.firstLine()
  return server
}

describe('a start that cannot succeed ends immediately with status 1 and one line that says why', {
  concurrency: 2,
}, () => {
  const FAILING_STARTS: [what: string, settings: () => Record<string, string>, line: RegExp][] = [
    [
      'a port that is taken',
      () => ({ DATABASE_URL: database.url, PORT: String(takenPort) }),
      /^PlateNote: PORT \d+ is taken; stop what uses it or set PORT to another$/,
    ],
    [
      'a port for metrics that is taken',
      () => ({ DATABASE_URL: database.url, PORT: '0', METRICS_PORT: String(takenPort) }),
      /^PlateNote: METRICS_PORT \d+ is taken; stop what uses it or set METRICS_PORT to another$/,
    ],
    [
      'an address of another machine',
      () => ({ DATABASE_URL: database.url, PORT: '0', HOST: '203.0.113.9' }),
      /^PlateNote: HOST 203\.0\.113\.9 is no address of this machine$/,
    ],
  ]
  for (const [what, settings, line] of FAILING_STARTS) {
    test(what, async (t) => {
      // of two that start on one database, one waits for the other, and says so at the level warn
      const { code, out, err } = await waitForExit(spawnServer(t, { LOG_LEVEL: 'error', ...settings() }))
      assert.deepEqual([code, out], [1, ''])
      assert.match(err.trimEnd(), line)
      assert.equal(err.trimEnd().split('\n').length, 1, err)
      assert.doesNotMatch(err, /secret/)
    })
  }

  test('a master key that cannot decrypt the database, or whose file is missing, which is not replaced', async (t) => {
    const own = await createTestDatabase()
    t.after(() => own.drop())
    const settings = { DATABASE_URL: own.url, PORT: '0', DATA_DIR: join(folder, 'keyless') }
    const first = await waitForReady(spawnServer(t, settings))
    first.child.kill('SIGINT')
    assert.equal((await waitForExit(first)).code, 0)
    // the start fails before it migrates: that would fail on a table that exists
    const db = openTestPool(own.connection, 1)
    await db`delete from schema_migrations`
    await db.end()
    const key = randomBytes(32).toString('base64')
    const wrong = await waitForExit(spawnServer(t, { ...settings, MASTER_KEY: key }))
    assert.equal(wrong.code, 1)
    assert.match(wrong.err, /^PlateNote: wrong setting: MASTER_KEY does not open this database .*MASTER_KEYS_OLD\n$/)

    const file = join(settings.DATA_DIR, 'master.key')
    rmSync(file)
    const { code, err } = await waitForExit(spawnServer(t, settings))
    assert.equal(code, 1)
    assert.match(err, /^PlateNote: \S+keyless\/master\.key is missing, .* put it back, or set MASTER_KEY\n$/)
    assert.equal(existsSync(file), false)
  })
})

test('a server prints one line when it is ready, serves health and metrics, logs JSON without addresses, and stops cleanly on SIGTERM', async (t) => {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()]
  const settings = { DATABASE_URL: database.url, PORT: String(port), METRICS_PORT: String(metricsPort) }
  const running = await waitForReady(spawnServer(t, settings))
  const line = `PlateNote is ready at http://localhost:${port}\n`
  assert.equal(running.out(), line)
  const [url, metrics] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${metricsPort}`]
  assert.equal((await rawRequest(url, '/healthz')).status, 200)
  assert.equal((await rawRequest(url, '/readyz')).status, 200)
  assert.equal((await rawRequest(url, '/api/vehicles?plate=SECRET1')).status, 404)
  assert.equal((await rawRequest(url, '/metrics')).status, 404)

  const text = await rawRequest(metrics, '/metrics')
  assert.match(String(text.headers['content-type']), /^text\/plain/)
  assert.match(text.text, /http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} 1/)
  assert.doesNotMatch(text.text, /SECRET1/)
  assert.equal((await rawRequest(metrics, '/')).status, 404)
  assert.equal((await rawRequest(metrics, '/metrics', { method: 'POST' })).status, 404)

  running.child.kill('SIGTERM')
  running.child.kill('SIGTERM') // a second, impatient one changes nothing
  const { code, out, err } = await waitForExit(running)
  assert.deepEqual([code, out], [0, line])
  const log = err.trimEnd().split('\n')
  for (const entry of log) assert.ok(JSON.parse(entry).time)
  assert.ok(log.some((entry) => JSON.parse(entry).msg === 'stopping'))
  assert.doesNotMatch(err, /SECRET1|127\.0\.0\.1.*"route"/)
})

test('without DATABASE_URL a server starts its own database, makes its keys readable by its owner only, and locks its folder; a thousand connections that come while it is busy wait, and none is dropped', async (t) => {
  const dir = join(folder, 'own')
  const port = String(await findFreePort())
  const running = await waitForReady(spawnServer(t, { DATA_DIR: dir, PORT: port }))
  assert.equal((await rawRequest(`http://127.0.0.1:${port}`, '/readyz')).status, 200)
  for (const name of ['master.key', 'jwt.key']) assert.equal(statSync(join(dir, name)).mode & 0o777, 0o600)

  const second = await waitForExit(spawnServer(t, { DATA_DIR: dir, PORT: '0' }))
  assert.equal(second.code, 1)
  assert.match(
    second.err,
    new RegExp(`^PlateNote: \\S+own is in use by process ${running.child.pid}; stop it, or set DATA_DIR.*\n$`),
  )
  assert.equal((await rawRequest(`http://127.0.0.1:${port}`, '/readyz')).status, 200)

  // where the system lets fewer wait, as many as it does
  const allowed = process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 128
  running.child.kill('SIGSTOP')
  const sockets = Array.from({ length: Math.min(1_000, allowed - 28) }, () =>
    connect(Number(port), '127.0.0.1').on('error', () => {}),
  )
  await withTimeout(Promise.all(sockets.map((socket) => once(socket, 'connect'))), MINUTE_MS)
  for (const socket of sockets) socket.destroy()
  running.child.kill('SIGCONT')

  running.child.kill('SIGHUP') // its terminal was closed
  assert.equal((await waitForExit(running)).code, 0)
  assert.equal(existsSync(join(dir, 'postgres/data/postmaster.pid')), false)
})
