import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { VehicleStatus, vehicleCan } from '#contract/vehicles.ts'
import { createTestDatabase, type TestDatabase } from '../test/database.ts'
import { findPending, MigrationError } from './current-schema.ts'
import { openPool, type Pool } from './pool.ts'
import { readMigrations, readOldestMigrations } from './schema-files.ts'

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

describe('a database is refused with a line that says what to do', () => {
  const [oldest, current] = [readOldestMigrations(), readMigrations()]
  const other = (number: number, name: string) => ({ number, name, sha256: 'another' })
  const CASES: [what: string, applied: Parameters<typeof findPending>[0], line: RegExp][] = [
    ['of a newer version', [...current, other(9999, '9999_later.sql')], /9999_later\.sql, .* Start a newer version\.$/],
    [
      'of a version between releases',
      [...oldest, other(56, '0056_idle_accounts.sql'), other(57, '0057_holds.sql')],
      /0056_idle_accounts\.sql of a version that was never released\. .*: start with an empty database\.$/,
    ],
    [
      'that 0.2.0 has not finished',
      oldest.slice(0, -1),
      /_told_of_drivers\.sql of a version that was never released\./,
    ],
    [
      'with another form of 0.2.0',
      [other(1, oldest[0]!.name), ...oldest.slice(1)],
      /0001_text_search\.sql of a version/,
    ],
    ['from before 0.2.0', [other(1, '0001_users.sql')], /0001_users\.sql of a version that was never released\./],
    [
      'whose migration was changed',
      current.map(({ number, name }) => other(number, name)),
      /0056_since_0_2_0\.sql was changed after it ran/,
    ],
  ]
  for (const [what, applied, line] of CASES) {
    test(`one ${what}`, () => {
      assert.throws(
        () => findPending(applied),
        (error) => error instanceof MigrationError && line.test(error.message) && !error.message.includes('\n'),
      )
    })
  }
})
