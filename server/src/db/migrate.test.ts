import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { VehicleStatus, vehicleCan } from '#contract/vehicles.ts'
import { checkSchema } from '../doctor/check-database.ts'
import { testApp } from '../test/app.ts'
import { temporaryFolder } from '../test/closing.ts'
import { createEmptyTestDatabase, openTestPool } from '../test/database.ts'
import { fieldsOf } from '../test/fields.ts'
import { assertCurrentSchema, findPending, MigrationError } from './current-schema.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './schema-files.ts'

const app = await testApp()

/** Creates a database, prepares it by one statement and migrates it; returns the error that stopped the migration. */
async function migrationFailure(options: string, preparation: string): Promise<unknown> {
  const database = await createEmptyTestDatabase(options)
  const db = openTestPool(database.connection, 1)
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

test('the database agrees with the contract on which vehicles can be sent messages', async () => {
  for (const status of VehicleStatus.options) {
    const [row] = await app.db<{ live: boolean }[]>`select is_live(${status}) as live`
    assert.equal(row?.live, vehicleCan('receiveMessage', { status }), status)
  }
})

/** Returns the lines that take away what servers of the release before may use and squawk does not look after, without a reason above. */
const findUnseen = (sql: string): string[] =>
  sql
    .split('\n')
    .filter(
      (line, i, lines) => /\bdrop (?:function|trigger|view|default)\b/.test(line) && !/^--/.test(lines[i - 1] ?? ''),
    )

test('a function, a trigger, a view or a default goes only with the reason why nothing uses it', () => {
  assert.deepEqual(findUnseen('drop view live_sanctions;\n-- 0.3.0 stopped using it\ndrop view other;'), [
    'drop view live_sanctions;',
  ])
  for (const { name, sql } of readMigrations().slice(1)) assert.deepEqual(findUnseen(sql), [], name)
})

test('a migration whose number does not follow is refused', () => {
  const folder = temporaryFolder('platenote-migrations-')
  writeFileSync(join(folder, '0002_later.sql'), 'select 1')
  assert.throws(() => readMigrations(folder), /0002_later\.sql does not follow/)
  writeFileSync(join(folder, '0001_schema.sql'), 'select 1')
  assert.deepEqual(fieldsOf(readMigrations(folder), 'number'), [1, 2])
})

describe('a database of another version', () => {
  const current = readMigrations()
  const later = { number: current.length + 1, name: '9999_later.sql', sha256: 'later', sql: '' }
  const CASES: [what: string, applied: Parameters<typeof findPending>[0], line: RegExp][] = [
    ['a newer one', [...current, later], /migration 9999_later\.sql, .* Start a newer version\.$/],
    [
      'one that was never released',
      current.map((migration) => ({ ...migration, sha256: 'another' })),
      /another migration 0001_schema\.sql than this version: .* Start with an empty database\.$/,
    ],
  ]
  for (const [what, applied, line] of CASES) {
    test(`${what} is refused with a line that says what to do`, () => {
      assert.throws(
        () => findPending(applied),
        (error) => error instanceof MigrationError && line.test(error.message) && !error.message.includes('\n'),
      )
    })
  }

  test('an older one is migrated by no command, and the check of the installation says how it is', async () => {
    await assert.rejects(
      assertCurrentSchema(app.db, [...current, later]),
      /The database is older than this version by 1 migration: run the command of the version that is running, or upgrade/,
    )
    const { level, text } = await checkSchema(app.db, [...current, later])
    assert.equal(level, 'warn')
    assert.match(text, /older than this build by 1 migration: .*platenote migrate/)
  })
})

test('a migration waits for a backup without holding up sends, says so, and is done when the backup is', async (t) => {
  const sender = await app.user()
  const { plate } = await app.vehicle(await app.user())
  const others = openTestPool(app.database.connection, 2)
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
