import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseDatabaseUrl } from '../db/database-url.ts'
import type { ConnectionOptions } from '../postgres/embedded-server.ts'
import { formatDatabaseUrl } from './database-url.ts'

/** The PostgreSQL the tests run on, on which databases may be created. */
export type TestServer = {
  /** Returns how to reach a database on it; without a name its maintenance database. */
  connection(name?: string): ConnectionOptions
  /** Returns the same as a URL. */
  url(name?: string): string
}

let server: Promise<TestServer> | undefined

/**
 * Returns the server named by `TEST_DATABASE_URL` (a maintenance database on any PostgreSQL ≥ 15), otherwise an embedded one
 * that is started once for this process and ends with it, however that ends.
 */
export function ensureTestServer(): Promise<TestServer> {
  server ??= (
    process.env['TEST_DATABASE_URL'] ? Promise.resolve(process.env['TEST_DATABASE_URL']) : spawnTestServer()
  ).then(testServerAt)
  return server
}

function testServerAt(maintenanceUrl: string): TestServer {
  const maintenance = parseDatabaseUrl(maintenanceUrl)
  const connection = (database = maintenance.database): ConnectionOptions => ({ ...maintenance, database })
  return { connection, url: (name) => formatDatabaseUrl(connection(name)) }
}

/** Starts `serve-postgres.ts`, which runs as long as its standard input is open, that is, until this process has ended. */
async function spawnTestServer(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve-postgres.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const line = await Promise.race([once(lines, 'line'), once(child, 'exit')])
  if (typeof line[0] !== 'string') throw new Error('The PostgreSQL for the tests did not start; its message is above.')
  lines.close()
  // it must not keep this process alive
  child.unref()
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as Socket).unref()
  return (JSON.parse(line[0]) as { url: string }).url
}
