import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openPool, type Pool } from '../db/pool.ts'
import { ensureTestServer } from '../test/postgres.ts'

/** The migration that made 'off' the default, and the one that took that back (decision 0111). */
const [OFF_BY_DEFAULT, ON_BY_DEFAULT] = [48, 72]

describe('the text of messages in the emails of accounts from before', () => {
  let db: Pool
  let drop: () => Promise<unknown>

  before(async () => {
    const server = await ensureTestServer()
    const maintenance = openPool(server.connection(), 1)
    const name = `platenote_test_${randomBytes(8).toString('hex')}`
    await maintenance.unsafe(`create database ${name} template template0 encoding 'UTF8'`)
    db = openPool(server.connection(name), 2)
    drop = async () => {
      await db.end()
      await maintenance.unsafe(`drop database ${name}`)
      await maintenance.end()
    }
  })
  after(() => drop())

  const migrateBelow = (number: number) =>
    migrate(db, { migrations: readMigrations().filter((migration) => migration.number < number) })
  /** Creates an account whose preferences say this of the text; undefined: what the database says by itself. */
  const account = async (hasText?: boolean): Promise<string> => {
    const id = randomUUID()
    await db`insert into auth.users (id, email) values (${id}, ${`${id}@example.com`})`
    if (hasText === undefined) await db`insert into preferences (user_id) values (${id})`
    else await db`insert into preferences (user_id, email_message_text) values (${id}, ${hasText})`
    return id
  }
  const hasText = async (id: string) => {
    const [row] = await db<{ email_message_text: boolean }[]>`
      select email_message_text from preferences where user_id = ${id}`
    return row!.email_message_text
  }

  test('is in them again, except where somebody had turned it off while on was the default; new accounts have it', async () => {
    await migrateBelow(OFF_BY_DEFAULT)
    const [untouched, off] = [await account(), await account(false)]
    await migrateBelow(ON_BY_DEFAULT)
    assert.deepEqual([await hasText(untouched), await hasText(off)], [false, false])
    const [later, chosen] = [await account(), await account(true)]
    await migrateBelow(Number.POSITIVE_INFINITY)
    assert.deepEqual(await Promise.all([untouched, off, later, chosen].map(hasText)), [true, false, true, true])
    assert.equal(await hasText(await account()), true)
  })
})
