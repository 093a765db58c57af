import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseUrl } from '../db/database-url.ts'
import { startEmbedded } from '../db/embedded.ts'

// A PostgreSQL for tests in a temporary folder, in memory where there is room. Prints one line, its maintenance database as
// {"url": "postgres://…"}, and stays until standard input closes, as it does when whoever started it ends in any way; or
// until SIGTERM or Ctrl-C.

/** Linux's folder in memory: to make and drop a database takes 60 ms of the processor there, and up to 430 on a disk. */
const MEMORY = '/dev/shm'
/** More than all tests have written at once. */
const ROOM_BYTES = 1024 ** 3

async function makeFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  // what is free in the folder need not be free in memory, which tests and browsers want too
  const roomy = bavail * bsize >= ROOM_BYTES && process.availableMemory() >= 3 * ROOM_BYTES
  const onDisk = () => mkdtemp(join(tmpdir(), 'platenote-test-'))
  return roomy ? mkdtemp(join(MEMORY, 'platenote-test-')).catch(onDisk) : onDisk()
}

const ended = new Promise<void>((resolve) => {
  process.stdin
    .once('end', resolve)
    .once('close', resolve)
    .once('error', () => resolve())
    .resume()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
})

const folder = await makeFolder()
try {
  await chmod(folder, 0o711) // as root, the account PostgreSQL runs as must pass through
  // nothing here has to outlive a power cut
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_wal_size: '256MB',
    max_connections: '300',
  }
  const server = await startEmbedded(join(folder, 'postgres'), { settings })
  process.stdout.on('error', () => {}) // nobody reads any more: standard input closes as well
  process.stdout.write(`${JSON.stringify({ url: databaseUrl(server.connection) })}\n`)
  await ended
  await server.stop()
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exit() // standard input may still be open after a signal
