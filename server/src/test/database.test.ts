import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { formatDatabaseUrl } from '../db/database-url.ts'
import { migrationsHash, readMigrations } from '../db/migrate.ts'
import { openPool } from '../db/pool.ts'
import { startEmbedded } from '../postgres/embedded-server.ts'
import { createTestDatabase } from './database.ts'

// a separate server, because other test files copy from the template that is spoiled here
const folder = mkdtempSync(join(tmpdir(), 'platenote-database-'))
chmodSync(folder, 0o711)
const server = await startEmbedded(join(folder, 'postgres'), { settings: { fsync: 'off' } })
process.env['TEST_DATABASE_URL'] = formatDatabaseUrl(server.connection)
const admin = openPool(server.connection, 1)
after(async () => {
  await admin.end()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('fresh databases have the current schema and nothing else, share no rows, and can be dropped while in use', async (t) => {
  // an interrupted run leaves the template without its mark
  const template = { ...server.connection, database: `platenote_template_${migrationsHash()}` }
  await admin`create database ${admin(template.database)}`
  const spoiled = openPool(template, 1)
  await spoiled`create table left_over (text text)`
  await spoiled.end()

  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  const sql = openPool(one.url, 1)
  const same = openPool(other.connection, 1)
  t.after(() => Promise.all([sql.end(), same.end()]))
  const [found] = await sql<{ migrations: number; left_over: string | null }[]>`
    select count(*)::integer as migrations, to_regclass('left_over')::text as left_over from schema_migrations`
  assert.deepEqual(found, { migrations: readMigrations().length, left_over: null })
  await sql`create table kept (text text)`
  await same`create table kept (text text)`

  await one.drop()
  const names = await admin<
    { datname: string }[]
  >`select datname from pg_database where datname like 'platenote_test_%'`
  assert.deepEqual([...names], [{ datname: other.connection.database }])
  await other.drop()
})
