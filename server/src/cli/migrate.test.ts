import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { readMigrations } from '../db/migrate.ts'
import { openPool } from '../db/pool.ts'
import { ensureTestServer } from '../test/postgres.ts'
import { runCommand } from '../test/product.ts'

const server = await ensureTestServer()
const name = `platenote_test_${randomBytes(8).toString('hex')}`
const maintenance = openPool(server.connection(), 1)
await maintenance.unsafe(`create database ${name} template template0 encoding 'UTF8'`)
after(async () => {
  await maintenance.unsafe(`drop database ${name} with (force)`)
  await maintenance.end()
})

const migrate = (...args: string[]) => runCommand('cli/migrate.ts', args, { DATABASE_URL: server.url(name) })

test('the command brings an empty database up to date, and changes nothing when it is', async () => {
  const done = { code: 0, out: 'The database is up to date.\n', err: '' }
  assert.deepEqual(await migrate(), done)
  assert.deepEqual(await migrate(), done)
  const db = openPool(server.connection(name), 1)
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from schema_migrations`
  await db.end()
  assert.equal(row?.count, readMigrations().length)
})

test('a command with arguments prints the usage', async () => {
  const { code, err } = await migrate('down')
  assert.equal(code, 1)
  assert.match(err, /^usage: npm run db:migrate/)
})
