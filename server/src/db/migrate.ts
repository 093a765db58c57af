import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../log/operator-error.ts'
import { type Pool, type ReservedConnection, sqlState } from './pool.ts'

/** The advisory lock for creating or changing tables. Any number works that no other program on the database uses. */
export const MIGRATION_LOCK = 727_120_455
/** SQLSTATE of `raise exception`. */
const RAISED = 'P0001'
/** SQLSTATEs of a lock that was not granted in time, and of a deadlock. */
const LOCKED_OUT = ['55P03', '40P01']

/**
 * While a migration waits for a table, every statement on the table waits behind it: it gives up long before theirs would fail,
 * and lets them through before it tries again.
 */
const LOCK_TIMEOUT_MS = 2_000
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 16_000

export type Migration = { number: number; name: string; sql: string; sha256: string }

/** Returns the migrations of all features, ordered by their numbers. Throws when two share a number. */
export function readMigrations(): Migration[] {
  const src = join(import.meta.dirname, '..')
  const files = globSync('*/[0-9][0-9][0-9][0-9]_*.sql', { cwd: src })
  const migrations = files
    .map((file) => {
      const sql = readFileSync(join(src, file), 'utf8')
      const name = basename(file)
      return { number: Number(name.slice(0, 4)), name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    })
    .sort((a, b) => a.number - b.number)
  const duplicate = migrations.find((m, i) => migrations[i + 1]?.number === m.number)
  if (duplicate) throw new Error(`Two migrations have the number ${duplicate.number}.`)
  return migrations
}

/** Returns a hash over all migrations, which identifies the state of a schema. */
export const migrationsHash = (): string =>
  createHash('sha256')
    .update(
      readMigrations()
        .map((m) => m.name + m.sha256)
        .join('\n'),
    )
    .digest('hex')
    .slice(0, 16)

/** Other migrations created the database, or these do not work in it; the message says which. */
export class MigrationError extends OperatorError {}

export type AppliedMigration = Omit<Migration, 'sql'>

/** Throws a MigrationError when a database has a migration that is not among these, or not in the same form. */
export function assertKnown(applied: AppliedMigration[], migrations: Migration[]): void {
  const known = new Map(migrations.map((m) => [m.number, m]))
  for (const { number, name, sha256 } of applied) {
    const migration = known.get(number)
    if (!migration)
      throw new MigrationError(
        `The database has migration ${name}, which this version does not know. Start a newer version.`,
      )
    if (migration.name !== name)
      throw new MigrationError(
        `The database has migration ${name} where this version has ${migration.name}: it was made by a version that was never released, and its data cannot be taken over. Start with an empty database.`,
      )
    if (migration.sha256 !== sha256)
      throw new MigrationError(`Migration ${migration.name} was changed after it ran. Write a new one instead.`)
  }
}

type MigrateOptions = {
  /** Called with a line for the operator when another process, or a transaction, has to be waited for. */
  onWait?: (line: string) => void
  /** Called with a line for the operator when a migration fails, before the error is thrown. */
  onFailure?: (line: string) => void
  migrations?: Migration[]
}

/**
 * Brings the database up to date, each migration in a transaction of its own, under an advisory lock: of several processes
 * that start at the same time one migrates, and the others wait and find nothing to do. Forward only. A migration waits as long
 * as something else uses its tables, such as a backup, and does not hold up the servers that run meanwhile.
 */
export async function migrate(
  sql: Pool,
  {
    onWait = (line) => process.stderr.write(`${line}\n`),
    onFailure = () => {},
    migrations = readMigrations(),
  }: MigrateOptions = {},
): Promise<void> {
  const connection = await sql.reserve()
  try {
    // another process may be migrating for longer than a statement may otherwise take
    await connection`set lock_timeout = 0`
    await connection.setStatementTimeout(0)
    const [lock] = await connection<{ granted: boolean }[]>`
      select pg_try_advisory_lock(${MIGRATION_LOCK}) as granted`
    if (!lock!.granted) {
      onWait('Another process migrates or restores the database; this one goes on when that is done.')
      await connection`select pg_advisory_lock(${MIGRATION_LOCK})`
    }
    await connection`
      create table if not exists schema_migrations (
        number integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`
    const applied = await connection<AppliedMigration[]>`
      select number, name, sha256 from schema_migrations order by number`
    assertKnown(applied, migrations)
    const appliedNumbers = new Set(applied.map((m) => m.number))
    for (const migration of migrations) {
      if (appliedNumbers.has(migration.number)) continue
      const apply = () =>
        tryToApply(connection, migration).catch((error: unknown) => {
          onFailure(
            `Migration ${migration.name} failed. What was migrated before it stays, and the next run goes on from there.`,
          )
          throw error
        })
      for (let pauseMs = FIRST_PAUSE_MS; !(await apply()); ) {
        onWait(
          `Migration ${migration.name} waits: a backup or another long transaction uses its tables. It tries again in ${pauseMs / 1_000} s.`,
        )
        await delay(pauseMs)
        pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
      }
    }
  } finally {
    await connection`select pg_advisory_unlock_all()`.catch(() => {}) // a broken connection has lost its locks anyway
    connection.release()
  }
}

/** Waits until nobody migrates or restores the database, however long that takes: what they change is not to be read meanwhile. */
export async function waitForMigrations(db: Pool): Promise<void> {
  await db.begin(async (tx) => {
    await tx.setStatementTimeout(0)
    await tx`set local lock_timeout = 0`
    await tx`select pg_advisory_xact_lock_shared(${MIGRATION_LOCK})`
  })
}

/** Converts an error of a migration's statements: what a migration raises itself is written for the operator. */
export const toMigrationError = (error: unknown): unknown =>
  sqlState(error) === RAISED ? new MigrationError((error as Error).message) : error

/** Applies a migration. Returns false when it did not get its locks in time, and nothing of it was done. */
async function tryToApply(connection: ReservedConnection, { number, name, sql, sha256 }: Migration): Promise<boolean> {
  await connection`begin`
  try {
    await connection`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`
    await connection.unsafe(sql)
    await connection`insert into schema_migrations (number, name, sha256) values (${number}, ${name}, ${sha256})`
    await connection`commit`
    return true
  } catch (error) {
    await connection`rollback`
    if (LOCKED_OUT.includes(sqlState(error) ?? '')) return false
    throw toMigrationError(error)
  }
}
