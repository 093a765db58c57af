import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { VehicleStatus, vehicleCan } from '#contract/vehicles.ts'
import { createTestDatabase, type TestDatabase } from '../test/database.ts'
import { describeSchema } from './describe-schema.ts'
import { MigrationError, migrate } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'

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

  test('schema.sql is what the migrations make (npm run db:schema writes it)', async () => {
    const file = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8')
    assert.equal(file, await describeSchema(db))
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

  test('a database from before the migrations were squashed is refused, and the message says what to do', async () => {
    await db`update schema_migrations set name = '0001_users.sql', sha256 = 'another' where number = 1`
    await assert.rejects(migrate(db), (error) => {
      assert.ok(error instanceof MigrationError)
      assert.match(error.message, /0001_users\.sql.*never released.*empty database/)
      return true
    })
  })
})
