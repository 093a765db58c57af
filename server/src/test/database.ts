import { createHash, randomBytes } from 'node:crypto'
import { migrate } from '../db/migrate.ts'
import { openPool, type Pool } from '../db/pool.ts'
import { readSchema } from '../db/schema-files.ts'
import type { ConnectionOptions } from '../postgres/embedded-server.ts'
import { MINUTE_MS } from '../time.ts'
import { ensureTestServer, type TestServer } from './postgres.ts'

/** A database with the current schema and no rows. */
export type TestDatabase = { connection: ConnectionOptions; url: string; drop(): Promise<void> }

/** What a machine that is slow or busy takes no longer than: a test is not refused for that. */
export const PATIENCE_MS = 10 * MINUTE_MS
const PATIENCE = {
  statementTimeoutMs: PATIENCE_MS,
  lockTimeoutMs: PATIENCE_MS,
  acquireTimeoutMs: PATIENCE_MS,
  connectTimeoutMs: PATIENCE_MS,
}

/** Opens a pool that is as patient. For what tests do beside the product. */
export const openTestPool = (target: string | ConnectionOptions, size: number): Pool => openPool(target, size, PATIENCE)

// any number works that no other program on the server uses
const TEMPLATE_LOCK = 727_120_456

let template: Promise<string> | undefined

/** Creates a database for one test file. Files that run concurrently get one each; `drop()` also disconnects its clients. */
export async function createTestDatabase(): Promise<TestDatabase> {
  template ??= ensureTemplate(await ensureTestServer())
  // copied as files, which takes half the processor time of copying through the write-ahead log
  return createDatabase(`template ${await template} strategy file_copy`)
}

/** Creates a database without a table. */
export const createEmptyTestDatabase = (options = `encoding 'UTF8'`): Promise<TestDatabase> =>
  createDatabase(`template template0 ${options}`)

async function createDatabase(options: string): Promise<TestDatabase> {
  const server = await ensureTestServer()
  const name = `platenote_test_${randomBytes(8).toString('hex')}`
  await withMaintenanceConnection(server, (sql) => sql.unsafe(`create database ${name} ${options}`))
  return {
    connection: server.connection(name),
    url: server.url(name),
    drop: () => withMaintenanceConnection(server, (sql) => sql`drop database if exists ${sql(name)} with (force)`),
  }
}

/**
 * Returns the name of a migrated database to copy from. The first process that needs it creates it, once per state of the
 * schema. It is marked as a template when it is complete; one without the mark was left by an interrupted run.
 */
const ensureTemplate = async (server: TestServer): Promise<string> => {
  const name = `platenote_template_${createHash('sha256').update(readSchema()).digest('hex').slice(0, 16)}`
  await withMaintenanceConnection(server, async (sql) => {
    await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`
    const [found] = await sql<{ complete: boolean }[]>`
      select datistemplate as complete from pg_database where datname = ${name}`
    if (found?.complete) return
    await sql`drop database if exists ${sql(name)} with (force)`
    await sql`create database ${sql(name)} template template0 encoding 'UTF8'`
    const pool = openTestPool(server.connection(name), 1)
    try {
      await migrate(pool)
    } finally {
      await pool.end() // a database can only be copied while no client is connected to it
    }
    await sql`alter database ${sql(name)} is_template true`
  })
  return name
}

/** Runs `work` on the maintenance database over one connection, closed afterwards (which also releases the advisory lock). */
async function withMaintenanceConnection(server: TestServer, work: (sql: Pool) => PromiseLike<unknown>): Promise<void> {
  const sql = openTestPool(server.connection(), 1)
  try {
    await sql`set lock_timeout = 0` // another process may be creating the template
    await work(sql)
  } finally {
    await sql.end()
  }
}
