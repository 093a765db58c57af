import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../postgres/embedded-server.ts'
import { formatDatabaseUrl } from './database-url.ts'

// Runs a PostgreSQL for tests in a temporary folder, in memory where there is room. Prints one line, its maintenance database
// as {"url": "postgres://…"}, and runs until standard input closes, which happens however its parent process ends; or until
// SIGTERM or Ctrl-C.

/** Linux's folder in memory: creating and dropping a database takes 60 ms of processor time there, and up to 430 on a disk. */
const SHARED_MEMORY_FOLDER = '/dev/shm'
/** More than all tests write at any time. */
const MIN_FREE_BYTES = 1024 ** 3

async function createTemporaryFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(SHARED_MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }))
  // free space in the folder is not always free memory, which tests and browsers need too
  const hasRoom = bavail * bsize >= MIN_FREE_BYTES && process.availableMemory() >= 3 * MIN_FREE_BYTES
  const onDisk = () => mkdtemp(join(tmpdir(), 'platenote-test-'))
  return hasRoom ? mkdtemp(join(SHARED_MEMORY_FOLDER, 'platenote-test-')).catch(onDisk) : onDisk()
}

const shutdownRequested = new Promise<void>((resolve) => {
  process.stdin
    .once('end', resolve)
    .once('close', resolve)
    .once('error', () => resolve())
    .resume()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
})

const folder = await createTemporaryFolder()
try {
  await chmod(folder, 0o711) // as root, the account PostgreSQL runs as must pass through
  // nothing here has to survive a power cut
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_wal_size: '256MB',
    // six processes, one file of each at a time, which may have two servers with a pool of their own
    max_connections: '600',
  }
  const server = await startEmbedded(join(folder, 'postgres'), { settings })
  process.stdout.on('error', () => {}) // the parent has ended: standard input closes as well
  process.stdout.write(`${JSON.stringify({ url: formatDatabaseUrl(server.connection) })}\n`)
  await shutdownRequested
  await server.stop()
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exit() // standard input may still be open after a signal
