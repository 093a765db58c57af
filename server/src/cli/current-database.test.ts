import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MIGRATION_LOCK } from '../db/migrate.ts'
import { startEmbedded } from '../postgres/embedded-server.ts'
import { acquireFolderLock } from '../postgres/lockfile.ts'
import { temporaryFolder } from '../test/closing.ts'
import { createEmptyTestDatabase, openTestPool } from '../test/database.ts'
import { openTestDatabase } from '../test/open-database.ts'
import { runCommand } from '../test/product.ts'

const folder = temporaryFolder('platenote-commands-')
const empty = await createEmptyTestDatabase()
const database = await openTestDatabase()
after(() => empty.drop())

const settings = { MASTER_KEY: randomBytes(32).toString('base64'), JWT_SECRET: randomBytes(32).toString('base64') }

/** Every command that works beside a server, but for those that make the schema and a backup, which takes it as it is. */
const COMMANDS: [command: string, ...args: string[]][] = [
  ['admin', 'list'],
  ['admin', 'sign-out-everybody'],
  ['mails', 'status'],
  ['rotate-keys'],
]

/** Runs a command, and returns the one line with which it refuses. */
async function refusalOf([command, ...args]: (typeof COMMANDS)[number], env: Record<string, string>): Promise<string> {
  const { code, out, err } = await runCommand(command, args, { ...settings, ...env })
  assert.deepEqual([code, out], [1, ''], command)
  assert.match(err, /^[^\n]+\n$/)
  return err.trimEnd()
}

test('in a database without tables, which may be another one, commands make none', async () => {
  for (const command of COMMANDS)
    assert.match(
      await refusalOf(command, { DATABASE_URL: empty.url }),
      /^The database has no tables of PlateNote: correct DATABASE_URL or DATA_DIR, or start PlateNote/,
    )
  const reader = openTestPool(empty.connection, 1)
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace`
  await reader.end()
  assert.equal(row?.count, 0)
})

test('a command does not wait for a migration of another process', async () => {
  await database.db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
    const { code, out, err } = await runCommand('admin', ['sign-out-everybody'], { DATABASE_URL: database.url })
    assert.deepEqual([code, out, err], [0, '0 sessions have ended, and no link works any more.\n', ''])
  })
})

test('an embedded database that is not there is not made by a command', async () => {
  const dir = join(folder, 'nowhere')
  assert.match(
    await refusalOf(['rotate-keys'], { DATA_DIR: dir }),
    /^There is no database in \S+nowhere yet: correct DATA_DIR or/,
  )
  assert.ok(!readdirSync(folder).includes('nowhere'))
})

test('while the embedded database is down under its server, nobody is asked to stop the server', async () => {
  const dir = join(folder, 'down')
  const lock = acquireFolderLock(dir)
  try {
    const embedded = await startEmbedded(join(dir, 'postgres'), { settings: { fsync: 'off' } })
    await embedded.stop()
    const line = await refusalOf(['admin', 'list'], { DATA_DIR: dir })
    assert.match(line, new RegExp(`^Process ${process.pid} uses \\S+down, but its database does not run: .* try again`))
    assert.doesNotMatch(line, /stop it/)
  } finally {
    lock.release()
  }
})
