import { setTimeout as delay } from 'node:timers/promises'
import { findPending, MigrationError, readAppliedMigrations } from './current-schema.ts'
import { type Db, type Pool, type ReservedConnection, sqlState } from './pool.ts'
import { type Migration, readMigrations, readSchema } from './schema-files.ts'

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

type MigrateOptions = {
  /** Called with a line for the operator when another process, or a transaction, has to be waited for. */
  onWait?: (line: string) => void
  /** Called with a line for the operator when a migration fails, before the error is thrown. */
  onFailure?: (line: string) => void
  migrations?: Migration[]
}

/**
 * Brings the database up to date under an advisory lock: of several processes that start at the same time one does so, and the
 * others wait and find nothing to do. An empty one gets all tables in one transaction; another one each migration that it lacks,
 * in a transaction of its own. A migration waits as long as something else uses its tables, such as a backup, and does not hold up
 * the servers that run meanwhile.
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
    const applied = await readAppliedMigrations(connection)
    if (applied.length === 0) {
      await transact(connection, () => makeTables(connection, migrations)).catch((error: unknown) => {
        onFailure('The tables could not be made. Nothing of them is left, and the next run begins anew.')
        throw error
      })
      return
    }
    for (const migration of findPending(applied, migrations)) {
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

/** Makes the table of the migrations that a database has. */
export const makeMigrationsTable = (db: Db) =>
  db`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`

/** Runs a migration, and records it. */
export async function runMigration(db: Db, { number, name, sql, sha256 }: Migration): Promise<void> {
  await runStatements(db, sql)
  await db`insert into schema_migrations (number, name, sha256) values (${number}, ${name}, ${sha256})`
}

/** Makes all tables in an empty database, and records the migrations that would have made them. */
export async function makeTables(db: Db, migrations = readMigrations()): Promise<void> {
  // first, so that a role without rights is told of them, and not of the extension
  await makeMigrationsTable(db)
  await runStatements(db, readSchema())
  // the schema files are what comes of them
  await db`insert into schema_migrations ${db(migrations.map(({ number, name, sha256 }) => ({ number, name, sha256 })))}`
}

/** Runs statements. What they raise themselves is written for the operator. */
async function runStatements(db: Db, sql: string) {
  await db.unsafe(sql).catch((error: unknown) => {
    throw sqlState(error) === RAISED ? new MigrationError((error as Error).message) : error
  })
}

/** Applies a migration. Returns false when it did not get its locks in time, and nothing of it was done. */
async function tryToApply(connection: ReservedConnection, migration: Migration): Promise<boolean> {
  try {
    await transact(connection, async () => {
      await connection`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`
      await runMigration(connection, migration)
    })
    return true
  } catch (error) {
    if (LOCKED_OUT.includes(sqlState(error) ?? '')) return false
    throw error
  }
}

async function transact(connection: ReservedConnection, work: () => Promise<void>) {
  await connection`begin`
  try {
    await work()
    await connection`commit`
  } catch (error) {
    await connection`rollback`
    throw error
  }
}
