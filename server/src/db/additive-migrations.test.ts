import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findBreaks, type ReliedOn, readIndexes, readReliedOn } from '../test/older-release.ts'
import { ensureTestServer } from '../test/postgres.ts'
import { readRelease } from '../test/recorded-release.ts'
import { readMigrations } from './migrate.ts'
import { type Db, openPool, type Pool } from './pool.ts'

const LAST_RELEASED = readRelease().lastMigration

/**
 * What a migration may take away or make stricter all the same, each with the reason why no statement of the release before
 * minds: it stopped using it, or never wrote what is now refused. It is emptied when a release is recorded.
 */
const ALLOWED: Record<string, string> = {
  // 0075: of 0.2.0 only the page of the register and the command of notices name them, and an hourly job, which tries again
  ...Object.fromEntries(
    [
      'incidents.amends',
      'incidents.created_at',
      'incidents.id',
      'incidents.incidents_append_only',
      'incidents.incidents_never_emptied',
      'incidents.incidents_pkey',
      'incidents.noticed_on',
      'incidents.people',
      'incidents.recorded_by_email',
      'incidents.recorded_by_id',
      'incidents.serious_risk',
      'incidents.text_encrypted',
      'notices.completed_at',
      'notices.content_hash',
      'notices.created_at',
      'notices.id',
      'notices.notices_content_hash_key',
      'notices.notices_pkey',
      'notices.queued',
      'notices.queued_to',
      'notices.texts',
      'opening_lists.ends_at',
      'opening_lists.id',
      'opening_lists.opening_lists_ends_at_key',
      'opening_lists.opening_lists_pkey',
      'opening_lists.starts_at',
    ].map((name) => [`public.${name} is gone`, 'the register, the weekly lists and notices were taken away']),
  ),
  // 0076: of 0.2.0 only the desk, and a change of keys, name them
  ...Object.fromEntries(
    [
      'contact_answers.contact_answers_pkey',
      'contact_answers.contact_answers_submission_id_text_hash_key',
      'contact_answers.created_at',
      'contact_answers.id',
      'contact_answers.submission_id',
      'contact_answers.text_encrypted',
      'contact_answers.text_hash',
      'contact_submissions.closed_at',
    ].map((name) => [`public.${name} is gone`, 'the contact desk was taken away']),
  ),
  'public.outbox.only_some_mails_have_no_account has changed':
    'the kinds that are refused now are mails of what was taken away',
  'public.refuse_incident_change() is gone or returns something else': 'ran for the register alone',
}

/** What grows without end: an index on it takes about a second for a million rows, and nothing is written meanwhile. */
const LARGE_TABLES = ['messages', 'notifications', 'outbox']
/** The newest migration from before that was checked. */
const LAST_UNCHECKED_INDEXES = 63

let db: Pool
let drop: () => Promise<unknown>
let released: ReliedOn
let current: ReliedOn
let uncheckedIndexes: string[]

before(async () => {
  const server = await ensureTestServer()
  const maintenance = openPool(server.connection(), 1)
  const name = `platenote_test_${randomBytes(8).toString('hex')}`
  await maintenance.unsafe(`create database ${name} template template0 encoding 'UTF8'`)
  db = openPool(server.connection(name), 1, { statementTimeoutMs: 0 })
  drop = async () => {
    await db.end()
    await maintenance.unsafe(`drop database ${name}`)
    await maintenance.end()
  }
  const migrations = readMigrations()
  for (const { number, sql } of migrations) if (number <= LAST_RELEASED) await db.unsafe(sql)
  released = await readReliedOn(db)
  const newer = migrations.filter(({ number }) => number > LAST_RELEASED)
  for (const { number, sql } of newer) if (number <= LAST_UNCHECKED_INDEXES) await db.unsafe(sql)
  uncheckedIndexes = await readIndexes(db, LARGE_TABLES)
  for (const { number, sql } of newer) if (number > LAST_UNCHECKED_INDEXES) await db.unsafe(sql)
  current = await readReliedOn(db)
})
after(() => drop())

test('what statements of the release before this one can rely on is still there, rules that rows meet among it', () => {
  const breaks = findBreaks(released, current).filter((found) => !(found in ALLOWED))
  assert.deepEqual(
    breaks,
    [],
    'processes of both run side by side (decision 0106): take things away in a later release',
  )
})

const BREAKING: [string, RegExp][] = [
  ['alter table messages drop column reason', /public\.messages\.reason is gone/],
  ['alter table messages rename column reason to why', /public\.messages\.reason is gone/],
  ['alter table tags rename to labels', /public\.tags\.id is gone/],
  ['alter table vehicles alter column registration_year type bigint', /registration_year is bigint, was /],
  ['alter table messages alter column reason set not null', /public\.messages\.reason may no longer be null/],
  ['alter table messages add column mood text not null', /public\.messages\.mood is new and has to be given/],
  ['alter table outbox alter column run_at drop default', /public\.outbox\.run_at has lost its default/],
  [
    `alter table vehicles add constraint no_q check (plate not like 'Q%')`,
    /no_q is a new rule about columns there were/,
  ],
  ['create unique index one_make on vehicles (user_id, make)', /one_make is a new rule about columns there were/],
  ['create unique index one_make on vehicles (lower(make))', /one_make is a new rule about columns there were/],
  ['drop table push_subscriptions cascade', /public\.push_subscriptions\.\w+ is gone/],
]
for (const [statement, expected] of BREAKING) {
  test(`a migration that breaks them is found: ${statement}`, async () => {
    assert.match(await breaksOf(statement), expected)
  })
}

test('an index that "on conflict" needs is missed', async () => {
  const [index] = await db<{ name: string }[]>`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relname = 'messages' and not exists (
      select from pg_constraint k where k.conindid = i.indexrelid) limit 1`
  assert.match(await breaksOf(`drop index ${index!.name}`), new RegExp(`${index!.name} is gone`))
})

test('what only adds breaks nothing', async () => {
  const additions = `
    create table moods (id uuid primary key, message_id uuid not null references messages (id), name text not null unique);
    alter table messages add column mood text, add column loudness integer not null default 0 check (loudness >= 0);
    create index on messages (mood);
    alter table messages alter column content_encrypted drop not null`
  assert.equal(await breaksOf(additions), '')
})

test('an index on a large table can be made before the upgrade, without stopping anybody: the changelog says how', async () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8')
  const texts = readMigrations().filter(({ number }) => number > LAST_UNCHECKED_INDEXES)
  const present = await readIndexes(db, LARGE_TABLES)
  assert.deepEqual(findUnannounced(present, changelog, texts.map(({ sql }) => sql).join()), [])

  const sql = 'create index if not exists messages_by_mood on messages (mood)'
  const all = await afterwards(`alter table messages add column mood text; ${sql}`, (tx) =>
    readIndexes(tx, LARGE_TABLES),
  )
  const indexes = all.filter((name) => !present.includes(name))
  const announced = 'create index concurrently if not exists messages_by_mood on messages (mood)'
  assert.deepEqual(findUnannounced(indexes, changelog, sql), ['messages_by_mood'])
  assert.deepEqual(findUnannounced(indexes, announced, sql.replace('if not exists ', '')), ['messages_by_mood'])
  assert.deepEqual(findUnannounced(indexes, announced, sql), [])
})

/** Returns the new indexes that cannot be made beforehand, or of which the changelog does not say how. */
const findUnannounced = (indexes: string[], changelog: string, migrations: string): string[] =>
  indexes
    .filter((name) => !uncheckedIndexes.includes(name))
    .filter(
      (name) =>
        !new RegExp(`create (?:unique )?index concurrently if not exists ${name}\\b`).test(changelog) ||
        !new RegExp(`create (?:unique )?index if not exists ${name}\\b`).test(migrations),
    )

/** Returns what statements would break, and takes them back. */
const breaksOf = (statements: string): Promise<string> =>
  afterwards(statements, async (tx) => findBreaks(current, await readReliedOn(tx)).join('\n'))

/** Returns what `look` sees after statements, and takes them back. */
async function afterwards<T>(statements: string, look: (db: Db) => Promise<T>): Promise<T> {
  const connection = await db.reserve()
  await connection.unsafe('begin')
  try {
    await connection.unsafe(statements)
    return await look(connection)
  } finally {
    await connection.unsafe('rollback')
    connection.release()
  }
}
