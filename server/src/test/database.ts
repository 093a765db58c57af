import { randomBytes } from 'node:crypto'
import type postgres from 'postgres'
import { migrate, migrationsHash } from '../db/migrate.ts'
import { openPool } from '../db/pool.ts'
import type { ConnectionOptions } from '../postgres/embedded-server.ts'
import { ensureTestServer, type TestServer } from './postgres.ts'

/** A database of its own with the current schema and no rows. */
export type TestDatabase = { connection: ConnectionOptions; url: string; drop(): Promise<void> }

// any number will do, as long as no other program on the server uses it
const TEMPLATE_LOCK = 727_120_456

let template: Promise<string> | undefined

/** Makes a database for one test file. Files that run at once get one each; `drop()` also ends whoever is connected. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await ensureTestServer()
  template ??= ensureTemplate(server)
  const source = await template
  const name = `platenote_test_${randomBytes(8).toString('hex')}`
  await withMaintenanceConnection(server, (sql) => sql`create database ${sql(name)} template ${sql(source)}`)
  return {
    connection: server.connection(name),
    url: server.url(name),
    drop: () => withMaintenanceConnection(server, (sql) => sql`drop database if exists ${sql(name)} with (force)`),
  }
}

/**
 * A migrated database to copy from: made once per state of the schema, by the first process that needs it. It is marked
 * as a template when it is complete; one without the mark is what an interrupted run left.
 */
const ensureTemplate = async (server: TestServer): Promise<string> => {
  const name = `platenote_template_${migrationsHash()}`
  await withMaintenanceConnection(server, async (sql) => {
    await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`
    const [found] = await sql<{ complete: boolean }[]>`
      select datistemplate as complete from pg_database where datname = ${name}`
    if (found?.complete) return
    await sql`drop database if exists ${sql(name)} with (force)`
    await sql`create database ${sql(name)} template template0 encoding 'UTF8'`
    const pool = openPool(server.connection(name), 1)
    try {
      await migrate(pool)
    } finally {
      await pool.end() // a database is copied only while nobody is connected to it
    }
    await sql`alter database ${sql(name)} is_template true`
  })
  return name
}

/** Works on the maintenance database over one connection, closed afterwards (which also frees the advisory lock). */
async function withMaintenanceConnection(
  server: TestServer,
  work: (sql: postgres.Sql) => PromiseLike<unknown>,
): Promise<void> {
  const sql = openPool(server.connection(), 1)
  try {
    await sql`set lock_timeout = 0` // another process may be making the template
    await work(sql)
  } finally {
    await sql.end()
  }
}
