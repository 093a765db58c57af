import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../test/closing.ts'
import { eventually } from '../test/eventually.ts'
import { findFreePort } from '../test/free-port.ts'
import { openTestDatabase } from '../test/open-database.ts'
import { rawRequest } from '../test/raw-request.ts'

const main = join(import.meta.dirname, '../main.ts')

/** Starts the product without the web app, which may not be built yet, with this as its standard error and no file larger than `maxKb`. */
async function startLogging(t: TestContext, folder: string, stderr: number, maxKb: number | 'unlimited') {
  const database = await openTestDatabase()
  const port = await findFreePort()
  const child = spawn('bash', ['-c', `ulimit -f ${maxKb}; exec "$0" "$1"`, process.execPath, main], {
    stdio: ['ignore', 'pipe', stderr],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      PORT: String(port),
      ROLE: 'worker',
    },
  })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(() => assert.fail('it ended before it was ready'))
  await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), ended])
  return { child, url: `http://127.0.0.1:${port}` }
}

/** Makes the server log this many lines of about 150 bytes. */
async function logLines(url: string, count: number) {
  for (let i = 0; i < count; i += 1) assert.equal((await rawRequest(url, `/nothing/${'x'.repeat(60)}`)).status, 404)
}

test('where the log cannot be written the service goes on, and says once how many lines are missing', async (t) => {
  const folder = temporaryFolder('platenote-log-')
  const file = join(folder, 'log')
  const maxKb = 16
  const fd = openSync(file, 'a')
  const { url } = await startLogging(t, folder, fd, maxKb)
  closeSync(fd)

  await eventually(async () => {
    await logLines(url, 20)
    return statSync(file).size === maxKb * 1024 || undefined
  })
  await logLines(url, 200)
  truncateSync(file)
  const lines = await eventually(async () => {
    await logLines(url, 1)
    const written = readFileSync(file, 'utf8').trim().split('\n')
    return written.length > 2 ? written : undefined
  })
  const [first, ...others] = lines.map((line) => JSON.parse(line) as { msg: string; lines?: number })
  assert.equal(first?.msg, 'log lines were lost')
  assert.ok(first.lines! >= 150, `${first.lines}`)
  assert.ok(others.some(({ msg }) => msg === 'request'))
})

test('where the reader of the log stalls the service goes on, and ends when it is told to', async (t) => {
  const folder = temporaryFolder('platenote-log-')
  const fifo = join(folder, 'log')
  execFileSync('mkfifo', [fifo])
  const fd = openSync(fifo, constants.O_RDWR) // so that nobody waits for a reader; nothing reads
  t.after(() => closeSync(fd))
  const { child, url } = await startLogging(t, folder, fd, 'unlimited')
  await logLines(url, 1000)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})
