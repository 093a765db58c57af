import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { ensureTestServer } from '../test/postgres.ts'
import { findDifference, type Outcome, readRelease, runStatement } from '../test/recorded-release.ts'
import { readMigrations } from './migrate.ts'
import { openPool, type Pool } from './pool.ts'

// Processes of the release before this one run beside those of this one (decision 0106). Every statement that its tests ran is run
// on its own tables, and again when this release has migrated them. There are no rows: what a statement names and returns, and
// the rules for the rows it inserts, are the same without any.

const release = readRelease()

/**
 * What may be otherwise on the new tables, by the beginning of the difference, each with the reason why no process minds. It
 * is emptied when a release is recorded.
 */
const ALLOWED: Record<string, string> = {
  'now 42P01 relation "contact_answers" does not exist': 'only the contact desk and a change of keys name it',
  'now 42703 column "closed_at" does not exist, was no error:  select subject, case when closed_at is null':
    'only the contact desk names it',
  'now 42703 column "closed_at" of relation "contact_submissions" does not exist': 'only the contact desk names it',
  'now 42P01 relation "incidents" does not exist': 'only the page of the register and a change of keys name it',
  'now 42P01 relation "notices" does not exist': 'only the command names it, and what would send its emails',
  'now 42P01 relation "opening_lists" does not exist': 'only an hourly job names it, which tries again',
}

let db: Pool
/** Has prepared all statements on the older tables, as a process that goes on has. */
let warm: pg.Client
let fresh: pg.Client
let drop: () => Promise<unknown>
let outcomes: Outcome[]

before(async () => {
  const server = await ensureTestServer()
  const maintenance = openPool(server.connection(), 1)
  const name = `platenote_test_${randomBytes(8).toString('hex')}`
  await maintenance.unsafe(`create database ${name} template template0 encoding 'UTF8'`)
  db = openPool(server.connection(name), 1, { statementTimeoutMs: 0 })
  const connect = async () => {
    const client = new pg.Client({ ...server.connection(name), pipeline: true })
    await client.connect()
    return client
  }
  const migrations = readMigrations()
  for (const { number, sql } of migrations) if (number <= release.lastMigration) await db.unsafe(sql)
  ;[warm, fresh] = await Promise.all([connect(), connect()])
  drop = async () => {
    await Promise.all([warm.end(), fresh.end(), db.end()])
    await maintenance.unsafe(`drop database ${name}`)
    await maintenance.end()
  }
  outcomes = await runAll(warm, (i) => `s${i}`)
  for (const { number, sql } of migrations) if (number > release.lastMigration) await db.unsafe(sql)
})
after(() => drop())

test('the statements of the release before this one ran on its own tables', () => {
  assert.ok(outcomes.length > 400, `${outcomes.length} statements`)
  const wrong = outcomes.flatMap(({ error }, i) => (error?.startsWith('42') ? [`${error}: ${textOf(i)}`] : []))
  assert.deepEqual(wrong, [])
})

test('they do the same on the tables of this one, prepared before or not', async () => {
  const differences = [...(await differencesOn(fresh)), ...(await differencesOn(warm, (i) => `s${i}`))]
  const allowed = (difference: string) => Object.keys(ALLOWED).some((beginning) => difference.startsWith(beginning))
  assert.deepEqual(
    differences.filter((difference) => !allowed(difference)),
    [],
    'processes of both run side by side: take things away in a later release',
  )
})

test('a migration that breaks them is found', async () => {
  await db.unsafe(`
    alter table messages rename column reason to why;
    alter table vehicles alter column registration_year type bigint;
    alter table push_subscriptions add column mood text not null;
    alter table auth.users add column only_added text`)
  const [anew, prepared] = [await differencesOn(fresh), await differencesOn(warm, (i) => `s${i}`)]
  for (const text of [anew.join('\n'), prepared.join('\n')]) {
    assert.match(text, /^now 42703 .*reason/m)
    assert.match(text, /^now 23502 .*insert into push_subscriptions/m)
    assert.doesNotMatch(text, /only_added|0A000/)
  }
  assert.match(anew.join('\n'), /^registration_year is of type 20, was 23/m)
})

/** Runs all statements, each in a transaction of its own that is taken back. */
async function runAll(client: pg.Client, nameOf?: (index: number) => string): Promise<Outcome[]> {
  return Promise.all(release.statements.map((statement, i) => runStatement(client, statement, nameOf?.(i))))
}

/** Returns what statements do otherwise than before, each with the statement. */
async function differencesOn(client: pg.Client, nameOf?: (index: number) => string): Promise<string[]> {
  const now = await runAll(client, nameOf)
  return now.flatMap((outcome, i) => {
    const difference = findDifference(outcomes[i]!, outcome)
    return difference === undefined ? [] : [`${difference}: ${textOf(i)}`]
  })
}

const textOf = (index: number) => release.statements[index]!.text.replaceAll(/\s+/g, ' ')
