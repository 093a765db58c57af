import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDatabaseUrl } from '../server/src/db/database-url.ts'
import { startEmbedded } from '../server/src/postgres/embedded-server.ts'

/** Starts an embedded PostgreSQL in a temporary folder; `dataDir` is a folder beside it for the product. */
export async function startEmbeddedForBench(): Promise<{ url: string; dataDir: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-bench-'))
  chmodSync(folder, 0o755) // as root, PostgreSQL runs under another account and must pass through
  const server = await startEmbedded(join(folder, 'postgres'))
  return {
    url: formatDatabaseUrl(server.connection),
    dataDir: join(folder, 'data'),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
