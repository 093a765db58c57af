import { type AppliedMigration, assertKnown, MigrationError, readMigrations } from './migrate.ts'
import type { Db } from './pool.ts'

/** Reads the migrations a database has, in their order; none where their table is missing. Waits for no migration. */
export async function readAppliedMigrations(db: Db): Promise<AppliedMigration[]> {
  const [table] = await db<{ exists: boolean }[]>`select to_regclass('schema_migrations') is not null as exists`
  if (!table!.exists) return []
  return db<AppliedMigration[]>`select number, name, sha256 from schema_migrations order by number`
}

/** Throws a MigrationError, which says what to do, unless the database has the schema of this version. Changes nothing. */
export async function assertCurrentSchema(db: Db): Promise<void> {
  const migrations = readMigrations()
  const applied = await readAppliedMigrations(db)
  if (applied.length === 0) {
    throw new MigrationError(
      'The database has no tables of PlateNote: correct DATABASE_URL or DATA_DIR, or start PlateNote (or platenote migrate), which makes them.',
    )
  }
  assertKnown(applied, migrations)
  const pending = migrations.length - applied.length
  if (pending > 0) {
    throw new MigrationError(
      `The database is older than this version by ${pending} ${pending === 1 ? 'migration' : 'migrations'}: run the command of the version that is running, or upgrade first (make a backup, then start this version or platenote migrate).`,
    )
  }
}
