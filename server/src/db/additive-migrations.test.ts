import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { findBreaks, type ReliedOn, readReliedOn } from '../test/older-release.ts'
import { ensureTestServer } from '../test/postgres.ts'
import { readMigrations } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'

/** The newest migration of the release before this one. Whoever makes a release sets it, and empties the list below. */
const LAST_RELEASED = 55

/**
 * What a migration may take away or make stricter all the same, each with the reason why no statement of the release before
 * minds: it stopped using it, or never wrote what is now refused.
 */
const ALLOWED: Record<string, string> = {}

let db: Pool
let drop: () => Promise<unknown>
let released: ReliedOn
let current: ReliedOn

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
  for (const { number, sql } of migrations) if (number > LAST_RELEASED) await db.unsafe(sql)
  current = await readReliedOn(db)
})
after(() => drop())

test('the statements of the release before this one work on the tables of this one', () => {
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

/** Returns what statements would break, and takes them back. */
async function breaksOf(statements: string): Promise<string> {
  const connection = await db.reserve()
  await connection.unsafe('begin')
  try {
    await connection.unsafe(statements)
    return findBreaks(current, await readReliedOn(connection)).join('\n')
  } finally {
    await connection.unsafe('rollback')
    connection.release()
  }
}
