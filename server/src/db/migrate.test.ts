import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../test/app.ts'
import { createEmptyTestDatabase } from '../test/database.ts'
import { MigrationError } from './current-schema.ts'
import { migrate } from './migrate.ts'
import { openPool } from './pool.ts'
import { readMigrations } from './schema-files.ts'

const app = await testApp()

/** Creates a database, prepares it by one statement and migrates it; returns the error that stopped the migration. */
async function migrationFailure(options: string, preparation: string): Promise<unknown> {
  const database = await createEmptyTestDatabase(options)
  const db = openPool(database.connection, 1)
  try {
    await db.unsafe(preparation)
    return await migrate(db).then(
      () => undefined,
      (error: unknown) => error,
    )
  } finally {
    await db.end()
    await database.drop()
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

test('a migration waits for a backup without holding up sends, says so, and is done when the backup is', async (t) => {
  const sender = await app.user()
  const { plate } = await app.vehicle(await app.user())
  const others = openPool(app.database.connection, 2)
  t.after(() => others.end())
  const reads = Promise.withResolvers<void>()
  const backup = Promise.withResolvers<void>()
  const reading = others.begin('isolation level repeatable read, read only', async (tx) => {
    await tx`lock table messages in access share mode`
    reads.resolve()
    await backup.promise
  })
  await reads.promise

  const lines: string[] = []
  let isDone = false
  const sql = 'alter table messages add column added_beside text'
  const newer = { number: 9999, name: '9999_beside.sql', sql, sha256: '' }
  const migrating = migrate(others, { migrations: [...readMigrations(), newer], onWait: (line) => lines.push(line) })
  void migrating.then(() => {
    isDone = true
  })
  for (let sent = 0; lines.length < 2; sent++) {
    const message = { plate, content: `Your lights are on, ${sent}.` }
    assert.equal((await sender.post('/api/messages', message)).status, 201)
  }
  assert.equal(isDone, false)
  assert.match(
    lines.join('\n'),
    /^Migration 9999_beside\.sql waits: a backup .* again in 1 s\.\nMigration 9999_beside\.sql .* again in 2 s\.$/,
  )

  backup.resolve()
  await Promise.all([reading, migrating])
  assert.equal((await sender.post('/api/messages', { plate, content: 'Your lights are on.' })).status, 201)
  assert.equal((await app.db`select from schema_migrations where number = 9999`).length, 1)
})
