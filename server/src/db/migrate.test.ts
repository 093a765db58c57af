import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ensureTestServer } from '../test/postgres.ts'
import { MigrationError } from './current-schema.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'

/** Creates a database, prepares it by one statement and migrates it; returns the error that stopped the migration. */
async function migrationFailure(options: string, preparation: string): Promise<unknown> {
  const server = await ensureTestServer()
  const maintenance = openPool(server.connection(), 1)
  const name = `platenote_test_${randomBytes(8).toString('hex')}`
  await maintenance.unsafe(`create database ${name} template template0 ${options}`)
  const db = openPool(server.connection(name), 1)
  try {
    await db.unsafe(preparation)
    return await migrate(db).then(
      () => undefined,
      (error: unknown) => error,
    )
  } finally {
    await db.end()
    await maintenance.unsafe(`drop database ${name}`)
    await maintenance.end()
  }
}

test('a database that cannot have the extension pg_trgm is refused with a line that says what to do', async () => {
  // the extension brings a function of this name
  const error = await migrationFailure(
    `encoding 'UTF8'`,
    `create function similarity(text, text) returns real language sql return 0`,
  )
  assert.ok(error instanceof MigrationError)
  assert.match(
    error.message,
    /^PlateNote needs the PostgreSQL extension pg_trgm .*"create extension pg_trgm".*similarity/,
  )
})

test('a database of another encoding is refused with a line that says so', async () => {
  const error = await migrationFailure(`encoding 'SQL_ASCII' locale_provider libc locale 'C'`, 'select 1')
  assert.ok(error instanceof MigrationError)
  assert.match(error.message, /^PlateNote needs a database with the encoding UTF8, this one has SQL_ASCII$/)
})
