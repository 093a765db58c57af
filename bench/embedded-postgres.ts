import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDatabaseUrl } from '../server/src/db/database-url.ts'
import { startEmbedded } from '../server/src/postgres/embedded-server.ts'
import { readPostmaster } from '../server/src/postgres/postmaster.ts'

const neverChanges = new Int32Array(new SharedArrayBuffer(4))

/**
 * Starts an embedded PostgreSQL in a temporary folder; `dataDir` is a folder beside it for the product. It ends with this process
 * at the latest, also when the product does not start and nothing stops it.
 */
export async function startEmbeddedForBench(
  settings: Record<string, string> = {},
): Promise<{ url: string; dataDir: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-bench-'))
  chmodSync(folder, 0o755) // as root, PostgreSQL runs under another account and must pass through
  const server = await startEmbedded(join(folder, 'postgres'), { settings })
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const kill = () => {
    const postmaster = readPostmaster(server.clusterDir)
    if (postmaster) process.kill(postmaster.pid, 'SIGQUIT') // at once, without writing what is in memory
    for (let tries = 0; readPostmaster(server.clusterDir) && tries < 50; tries++) Atomics.wait(neverChanges, 0, 0, 100)
    removeFolder()
  }
  process.once('exit', kill)
  return {
    url: formatDatabaseUrl(server.connection),
    dataDir: join(folder, 'data'),
    async stop() {
      await server.stop()
      process.off('exit', kill)
      removeFolder()
    },
  }
}
