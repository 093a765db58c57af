import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { VehicleStatus, vehicleCan } from '#contract/vehicles.ts'
import { checkSchema } from '../doctor/check-database.ts'
import { createTestDatabase, type TestDatabase } from '../test/database.ts'
import { fieldsOf } from '../test/fields.ts'
import { assertCurrentSchema, findPending, MigrationError } from './current-schema.ts'
import { openPool, type Pool } from './pool.ts'
import { readMigrations } from './schema-files.ts'

describe('the schema', () => {
  let database: TestDatabase
  let db: Pool
  before(async () => {
    database = await createTestDatabase()
    db = openPool(database.connection, 2)
  })
  after(async () => {
    await db.end()
    await database.drop()
  })

  test('the database agrees with the contract on which vehicles can be sent messages', async () => {
    for (const status of VehicleStatus.options) {
      const [row] = await db<{ live: boolean }[]>`select is_live(${status}) as live`
      assert.equal(row?.live, vehicleCan('receiveMessage', { status }), status)
    }
  })

  test('a live plate is found by the index of live plates', async () => {
    const rows = await db<{ 'QUERY PLAN': string }[]>`
      explain select id from vehicles where province = 'Ontario' and plate_key = 'ABC123' and is_live(status)`
    assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /vehicles_live_plate/)
  })
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

test('a migration whose number does not follow is refused', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-migrations-'))
  t.after(() => rmSync(folder, { recursive: true }))
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

  test('an older one is migrated by no command, and the check of the installation says how it is', async (t) => {
    const database = await createTestDatabase()
    const db = openPool(database.connection, 1)
    t.after(async () => {
      await db.end()
      await database.drop()
    })
    await assert.rejects(
      assertCurrentSchema(db, [...current, later]),
      /The database is older than this version by 1 migration: run the command of the version that is running, or upgrade/,
    )
    const { level, text } = await checkSchema(db, [...current, later])
    assert.equal(level, 'warn')
    assert.match(text, /older than this build by 1 migration: .*platenote migrate/)
  })
})
