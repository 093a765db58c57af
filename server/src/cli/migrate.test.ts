import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { MIGRATION_LOCK } from '../db/migrate.ts'
import { eventually } from '../test/eventually.ts'
import { runCommand, spawnCommand } from '../test/product.ts'
import { createEmptyDatabase } from '../test/restore-targets.ts'

const { db, url: DATABASE_URL } = await createEmptyDatabase()
after(() => db.end())

const migrate = (...args: string[]) => runCommand('migrate', args, { DATABASE_URL })

test('where the tables cannot be made nothing of them is left, and the next run begins anew', async () => {
  await db.unsafe(`
    create function fail() returns event_trigger language plpgsql as $$
      begin
        if to_regclass('outbox') is not null then raise exception 'full' using errcode = '53100'; end if;
      end $$;
    create event trigger fail on ddl_command_end execute function fail();`)
  const { code, out, err } = await migrate()
  assert.deepEqual([code, out], [1, ''])
  const [failure, reason, ...more] = err.trimEnd().split('\n')
  assert.equal(failure, 'The tables could not be made. Nothing of them is left, and the next run begins anew.')
  assert.match(reason!, /has no space left on its disk \(53100\): enlarge it, and try again$/)
  assert.deepEqual(more, [])
  const [left] = await db`select to_regclass('auth.users') as users, to_regclass('schema_migrations') as migrations`
  assert.deepEqual(left, { users: null, migrations: null })
  await db.unsafe('drop event trigger fail; drop function fail()')
})

test('who waits for another process says so', async () => {
  const waiting = await db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
    const command = spawnCommand('migrate', [], { DATABASE_URL })
    await eventually(async () => command.err() || undefined)
    assert.equal(
      command.err(),
      'Another process migrates or restores the database; this one goes on when that is done.\n',
    )
    return { command }
  })
  assert.deepEqual(await waiting.command.ended, [0, null])
  assert.equal(waiting.command.out(), 'The database is up to date.\n')
})
