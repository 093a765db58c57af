import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../test/database.ts'
import { makeOldestTables } from '../test/older-database.ts'
import { createEmptyDatabase } from '../test/restore-targets.ts'
import { MigrationError } from './current-schema.ts'
import { migrate } from './migrate.ts'
import { type Db, openPool, type Pool } from './pool.ts'
import { readMigrations } from './schema-files.ts'

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

const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
/** People: the text of messages is in their emails as each of them says. */
const UNTOUCHED = id(1)
const TURNED_OFF = id(2)
const LATER = id(3)
const TURNED_ON = id(4)
const PUSHES = id(5)
const NAME = 'n'.repeat(43)

const insertPeople = (db: Pool, ids: string[]) =>
  db`insert into auth.users (id, email, user_metadata, person_hash)
    select id, id || '@example.com', '{"full_name": "Hélène"}', decode(md5(id::text), 'hex') from unnest(${ids}::uuid[]) id`

/** What a database of 0.2.0 may hold, by the tables that this migration changes or whose rows others refer to. */
const ROWS = `
  insert into auth.sessions (id, user_id, amr) values ('${id(10)}', '${TURNED_ON}', '[]');
  insert into auth.factors (id, user_id, factor_type, friendly_name, secret_encrypted)
    values ('${id(11)}', '${TURNED_ON}', 'totp', 'Phone', '\\x01');
  insert into auth.events (user_id, type, session_id) values ('${TURNED_ON}', 'sign_in', '${id(10)}');
  insert into vehicles (id, user_id, plate, make, model, registration_year, province, status, paused) values
    ('${id(20)}', '${UNTOUCHED}', 'KEPT-1', 'Ford', 'T', 1999, 'Ontario', 'pending_verification', false),
    ('${id(21)}', '${TURNED_OFF}', 'KEPT1', 'Ford', 'T', 1999, 'Ontario', 'pending_verification', false),
    ('${id(22)}', '${TURNED_ON}', 'KEPT2', 'Ford', 'T', 1999, 'Quebec', 'active', true);
  insert into plate_disputes (id, province, plate, plate_key, incumbent_vehicle_id, incumbent_status, challenger_vehicle_id,
      documents_due_at)
    values ('${id(23)}', 'Ontario', 'KEPT-1', 'KEPT1', '${id(20)}', 'active', '${id(21)}', '2030-01-01');
  insert into challenges_started (id, user_id) values ('${id(24)}', '${TURNED_OFF}');
  insert into dispute_documents (id, vehicle_id, place, file_name, key_envelope, kind, size)
    values ('${id(25)}', '${id(21)}', 1, '${NAME}', '\\x01', 'pdf', 9);
  insert into vehicle_drivers (id, vehicle_id, user_id) values ('${id(26)}', '${id(22)}', '${LATER}');
  insert into attachments (id, uploader_id, name, key_envelope, size, width, height)
    values ('${id(30)}', '${LATER}', '${NAME}', '\\x01', 9, 1, 1);
  insert into messages (id, vehicle_id, addressed_to, sender_id, plate, content_encrypted, attachment_id, collision_encrypted)
    values ('${id(31)}', '${id(22)}', '${id(22)}', '${LATER}', 'KEPT2', '\\x01', '${id(30)}', '\\x02');
  insert into messages (id, vehicle_id, sender_id, content_encrypted, reply_encrypted, replied_at)
    values ('${id(32)}', '${id(22)}', '${LATER}', '\\x01', '\\x02', now());
  insert into notification_counters (user_id, last_number) values ('${TURNED_ON}', 2);
  insert into notifications (id, user_id, number, type, message_id)
    values ('${id(33)}', '${TURNED_ON}', 2, 'message_received', '${id(31)}');
  insert into driver_messages (driver_id, message_id) values ('${id(26)}', '${id(31)}');
  insert into blocks (id, user_id, message_id, plate, message_inserted_at, view, blocked_hash)
    values ('${id(34)}', '${TURNED_ON}', '${id(31)}', 'KEPT2', now(), 'received', '\\x01');
  insert into subjects (id, person_hash) values ('${id(40)}', '\\x01');
  insert into sanctions (id, subject_id, kind, decided_by, ends_at)
    values ('${id(41)}', '${id(40)}', 'suspend', '${TURNED_ON}', '2030-01-01');
  insert into appeals (id, sanction_id, text_encrypted) values ('${id(42)}', '${id(41)}', '\\x01');
  insert into audit_log (id, actor_id, action, subject, subject_id, reason_encrypted)
    values ('${id(43)}', '${TURNED_ON}', 'user_suspended', 'a…', '${id(40)}', '\\x01');
  insert into rate_counters (key, window_start, count) values ('read', now(), 3);
  insert into attachment_files_to_delete (name) values ('image');
  insert into document_files_to_delete (file_name, delete_after) values ('document', '2030-01-01');
  insert into push_preferences (user_id, message_text) values ('${PUSHES}', true), ('${TURNED_OFF}', true), ('${LATER}', false);
  insert into contact_submissions (id, name_encrypted, email_encrypted, subject, message_encrypted, locale)
    select n, '\\x01', '\\x01', 'other', '\\x01', 'en' from unnest('{${id(50)},${id(51)},${id(52)}}'::uuid[]) n;
  insert into contact_answers (id, submission_id, text_encrypted, text_hash) values ('${id(53)}', '${id(50)}', '\\x01', '\\x01');
  insert into incidents (id, recorded_by_id, recorded_by_email, noticed_on, serious_risk)
    values ('${id(54)}', '${TURNED_ON}', 'admin@example.com', '2026-01-01', false);
  insert into opening_lists (id, starts_at, ends_at) values ('${id(55)}', now(), now());
  insert into notices (id, content_hash, texts) values ('${id(56)}', '\\x01', '{}');
  insert into outbox (id, kind, ref_id, recipient_id, attempts, sent_at, failed_at) values
    ('${id(60)}', 'message', '${id(31)}', '${TURNED_ON}', 1, null, null),
    ('${id(61)}', 'reply', '${id(32)}', '${LATER}', 1, now(), null),
    ('${id(62)}', 'message', '${id(32)}', '${TURNED_ON}', 1, null, now()),
    ('${id(63)}', 'contact', '${id(50)}', null, 1, now(), null),
    ('${id(64)}', 'contact', '${id(51)}', null, 1, null, now()),
    ('${id(65)}', 'contact', '${id(52)}', null, 0, null, null),
    ('${id(66)}', 'contact_answer', '${id(53)}', null, 0, null, null),
    ('${id(67)}', 'opening_list', '${id(55)}', null, 0, null, null),
    ('${id(68)}', 'notice', '${id(56)}', '${LATER}', 0, null, null)`

/** Makes a database of 0.2.0 that is in use. */
async function makeOldest(): Promise<{ db: Pool; connection: Parameters<typeof openPool>[0] }> {
  const { db, connection } = await createEmptyDatabase()
  await makeOldestTables(db, {
    // the migration that turned the text off for everybody
    48: async () => {
      await insertPeople(db, [UNTOUCHED, TURNED_OFF])
      await db`insert into preferences (user_id) values (${UNTOUCHED})`
      await db`insert into preferences (user_id, email_message_text) values (${TURNED_OFF}, false)`
    },
  })
  await insertPeople(db, [LATER, TURNED_ON, PUSHES])
  await db`insert into preferences (user_id) values (${LATER})`
  await db`insert into preferences (user_id, email_message_text) values (${TURNED_ON}, true)`
  await db.unsafe(`begin; ${ROWS}; commit`)
  return { db, connection }
}

type Rows = Record<string, Record<string, unknown>[]>

/** Reads all rows of all tables. */
async function readRows(db: Pool): Promise<Rows> {
  const tables = await db<{ name: string }[]>`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('public', 'auth') and tablename <> 'schema_migrations' order by 1`
  const rows: Rows = {}
  for (const { name } of tables) {
    const found = await db.unsafe<{ row: Record<string, unknown> }[]>(
      `select to_jsonb(t) as row from ${name} t order by t::text`,
    )
    rows[name] = found.map(({ row }) => row)
  }
  return rows
}

const readFresh = async (): Promise<string[]> => {
  const fresh = await createTestDatabase()
  const db = openPool(fresh.connection, 1)
  const catalogue = await readCatalogue(db)
  await db.end()
  await fresh.drop()
  assert.ok(catalogue.length > 700, `${catalogue.length} lines`)
  return catalogue
}

test('a database of 0.2.0 becomes what a new one is, and keeps its rows', async () => {
  const { db } = await makeOldest()
  const before = await readRows(db)
  // several servers at once: one does it
  await Promise.all([migrate(db), migrate(db)])
  assert.deepEqual(await readCatalogue(db), await readFresh())
  const migrations = await db`select name from schema_migrations order by number`
  assert.deepEqual(
    [...migrations],
    readMigrations().map(({ name }) => ({ name })),
  )

  const now = await readRows(db)
  const gone = Object.keys(before).filter((table) => !(table in now))
  assert.deepEqual(
    gone.map((table) => table.slice('public.'.length)),
    [
      'attachment_files_to_delete',
      'contact_answers',
      'document_files_to_delete',
      'incidents',
      'notices',
      'opening_lists',
      'push_preferences',
    ],
  )
  const changed = ['public.preferences', 'public.outbox', 'public.contact_submissions']
  for (const [table, rows] of Object.entries(before)) {
    if (gone.includes(table) || changed.includes(table)) continue
    const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'banned_until')
    const sorted = (list: Rows[string]) =>
      list.map((row) => JSON.stringify(columns.map((column) => [column, row[column]]))).sort()
    assert.deepEqual(sorted(now[table]!), sorted(rows), table)
  }
  const idsIn = (table: string) => now[table]!.map((row) => row['id']).sort()
  assert.deepEqual(idsIn('public.outbox'), [60, 61, 62, 63, 64, 65].map(id))
  assert.deepEqual(idsIn('public.contact_submissions'), [51, 52].map(id), 'what was delivered is not kept')
  assert.deepEqual(
    now['public.files_to_delete']!.map(({ name, delete_after }) => [name, String(delete_after).slice(0, 4)]),
    [
      ['document.sealed', '2030'],
      ['image.webp', new Date().getFullYear().toString()],
    ],
  )
  assert.deepEqual(
    now['public.messages']!.map((row) => [row['id'], row['has_collision']]).sort(),
    [31, 32].map((n) => [id(n), n === 31]),
  )
  const preferences = new Map(
    now['public.preferences']!.map((row) => [row['user_id'], [row['email_message_text'], row['push_message_text']]]),
  )
  assert.deepEqual(
    [UNTOUCHED, TURNED_OFF, LATER, TURNED_ON, PUSHES].map((person) => preferences.get(person)),
    [
      [true, false],
      [false, true],
      [true, false],
      [true, false],
      [true, true],
    ],
    'the text is in emails but for who had turned it off while on was the default, and in pushes for who turned it on',
  )
})

test('while a server of 0.2.0 is connected, or an account is banned by hand, the migration says what to do', async (t) => {
  const { db, connection } = await makeOldest()
  const server = await openAsOldest(connection)
  t.after(() => server.end())
  await assert.rejects(migrate(db), (error) => {
    assert.ok(error instanceof MigrationError)
    assert.match(error.message, /^A server or a command of 0\.2\.0 is connected to this database\. Stop all of them/)
    return true
  })
  await server.end()
  await db`update auth.users set banned_until = 'infinity' where id = ${LATER}`
  await assert.rejects(migrate(db), /banned_until.+platenote admin suspend/)
  await db`update auth.users set banned_until = null`
  await migrate(db)
})

/** Connects under the name of 0.2.0's connections. */
async function openAsOldest(connection: Parameters<typeof openPool>[0]): Promise<Pool> {
  assert.ok(typeof connection !== 'string')
  const pool = openPool(connection, 1)
  await pool.unsafe(`set application_name = 'platenote'`)
  return pool
}

test('a migration that is killed half-way leaves everything as it was, and runs again', async () => {
  const { db } = await makeOldest()
  const before = await readCatalogue(db)
  await db.unsafe(`
    create function kill() returns event_trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); end $$;
    create event trigger kill on ddl_command_end when tag in ('CREATE VIEW') execute function kill()`)
  const lines: string[] = []
  await assert.rejects(migrate(db, { onFailure: (line) => lines.push(line) }))
  assert.match(lines.join('\n'), /^Migration 0056_since_0_2_0\.sql failed\. .* the next run goes on from there\.$/)
  await db.unsafe('drop event trigger kill; drop function kill()')
  assert.deepEqual(await readCatalogue(db), before)
  await migrate(db)
  assert.deepEqual(await readCatalogue(db), await readFresh())
})
