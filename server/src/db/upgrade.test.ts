import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestDatabase } from '../test/open-database.ts'
import { createEmptyDatabase } from '../test/restore-targets.ts'
import { makeMigrationsTable, migrate, runMigration } from './migrate.ts'
import type { Db, Pool } from './pool.ts'
import { FIRST_MIGRATION, MIGRATIONS_FOLDER, type Migration, readMigrations } from './schema-files.ts'

/** Reads everything that a database has but rows, a line for each: what makes it differ from another one is a line of one of them. */
async function readCatalogue(db: Db): Promise<string[]> {
  const rows = await db<{ line: string }[]>`
    with ours as (
      select n.nspname || '.' || c.relname as name, c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    )
    select line from (
      select 'extension ' || extname from pg_extension
      union all
      select concat_ws(' ', 'schema', nspname, nspacl) from pg_namespace where nspname in ('public', 'auth')
      union all
      select concat_ws(' ', 'relation', name, relkind, reloptions, relacl, relrowsecurity) from ours
      union all
      select concat_ws(' ', 'column', o.name, a.attname, format_type(a.atttypid, a.atttypmod), a.attgenerated, a.attidentity,
        pg_get_expr(d.adbin, d.adrelid), a.attnotnull, nullif(a.attstattarget, -1), a.attacl)
      from ours o
      join pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where o.relkind in ('r', 'v')
      union all
      -- PostgreSQL 18 lists 'not null' as constraints too
      select concat_ws(' ', 'constraint', o.name, k.conname, pg_get_constraintdef(k.oid), k.convalidated)
      from ours o join pg_constraint k on k.conrelid = o.oid where k.contype <> 'n'
      union all
      select pg_get_indexdef(i.indexrelid) from ours o join pg_index i on i.indrelid = o.oid where i.indisvalid
      union all
      select concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
      from ours o join pg_trigger t on t.tgrelid = o.oid where not t.tgisinternal
      union all
      select concat_ws(' ', 'view', name, pg_get_viewdef(oid)) from ours where relkind = 'v'
      union all
      select concat_ws(' ', pg_get_functiondef(p.oid), p.proacl)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'auth') and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    ) catalogue (line)
    order by line collate "C"`
  return rows.map(({ line }) => line)
}

/** Makes a database of the first release. */
async function makeFirstRelease(): Promise<Pool> {
  const { db } = await createEmptyDatabase()
  await makeMigrationsTable(db)
  await runMigration(db, readMigrations()[0]!)
  return db
}

async function readFresh(): Promise<string[]> {
  const { db } = await openTestDatabase()
  const catalogue = await readCatalogue(db)
  assert.ok(catalogue.length > 700, `${catalogue.length} lines`)
  return catalogue
}

/** Returns what a migrated database has and a new one does not (`+`), and the other way round (`-`). */
async function compareWithFresh(db: Pool): Promise<string[]> {
  const [migrated, fresh] = [await readCatalogue(db), await readFresh()]
  const without = (lines: string[], others: string[], sign: string) =>
    lines.filter((line) => !others.includes(line)).map((line) => sign + line)
  return [...without(migrated, fresh, '+ '), ...without(fresh, migrated, '- ')]
}

/** Returns this version's migrations with one more. */
const withLater = (sql: string): Migration[] => {
  const migrations = readMigrations()
  return [...migrations, { number: migrations.length + 1, name: '9999_later.sql', sql, sha256: '' }]
}

test('a database of the first release becomes what a new one is', async () => {
  const db = await makeFirstRelease()
  await migrate(db)
  assert.deepEqual(await compareWithFresh(db), [])
})

test('a migration keeps rows, one of several servers runs it, and what the schema files lack of it is found', async () => {
  const db = await makeFirstRelease()
  await db`insert into files_to_delete (name) values ('kept')`
  const migrations = withLater(`
    alter table files_to_delete add column tries integer not null default 0;
    drop index messages_inserted_at;`)
  await Promise.all([migrate(db, { migrations }), migrate(db, { migrations })])
  const applied = await db`select name from schema_migrations order by number`
  assert.deepEqual(
    [...applied],
    migrations.map(({ name }) => ({ name })),
  )
  const rows = await db`select name, tries from files_to_delete`
  assert.deepEqual([...rows], [{ name: 'kept', tries: 0 }])
  assert.deepEqual(await compareWithFresh(db), [
    '+ column public.files_to_delete tries integer   0 t',
    '- CREATE INDEX messages_inserted_at ON public.messages USING btree (inserted_at)',
    '- relation public.messages_inserted_at i f',
  ])
})

test('a migration that is killed half-way leaves everything as it was, and runs again', async () => {
  const db = await makeFirstRelease()
  await migrate(db)
  const before = await readCatalogue(db)
  const migrations = withLater('create table later (id uuid primary key); create view latest as select id from later')
  await db.unsafe(`
    create function kill() returns event_trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); end $$;
    create event trigger kill on ddl_command_end when tag in ('CREATE VIEW') execute function kill()`)
  const lines: string[] = []
  await assert.rejects(migrate(db, { migrations, onFailure: (line) => lines.push(line) }))
  assert.match(lines.join('\n'), /^Migration 9999_later\.sql failed\. .* the next run goes on from there\.$/)
  await db.unsafe('drop event trigger kill; drop function kill()')
  assert.deepEqual(await readCatalogue(db), before)
  await migrate(db, { migrations })
  assert.equal((await db`select from latest`).length, 0)
})

test('the schema of the first release is kept as its migration', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8')
  const isReleased = /^## \[[\d.]+\] - \d{4}-/m.test(changelog)
  assert.equal(
    existsSync(join(MIGRATIONS_FOLDER, FIRST_MIGRATION)),
    isReleased,
    isReleased ? 'run npm run node -- server/src/db/keep-released-schema.ts' : 'nothing was released yet',
  )
})
