import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseUrl } from '../db/database-url.ts'
import { startEmbedded } from '../db/embedded.ts'

// A PostgreSQL for tests in a temporary folder. Prints one line, its maintenance database as {"url": "postgres://…"}, and stays
// until standard input closes, as it does when whoever started it ends in any way; or until SIGTERM or Ctrl-C.

const ended = new Promise<void>((resolve) => {
  process.stdin
    .once('end', resolve)
    .once('close', resolve)
    .once('error', () => resolve())
    .resume()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve())
})

const folder = await mkdtemp(join(tmpdir(), 'platenote-test-'))
try {
  await chmod(folder, 0o711) // as root, the account PostgreSQL runs as must pass through
  // nothing here has to outlive a power cut
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' }
  const server = await startEmbedded(join(folder, 'postgres'), { settings })
  process.stdout.on('error', () => {}) // nobody reads any more: standard input closes as well
  process.stdout.write(`${JSON.stringify({ url: databaseUrl(server.connection) })}\n`)
  await ended
  await server.stop()
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exit() // standard input may still be open after a signal
