import { OperatorError } from '../log/operator-error.ts'
import type { Db } from './pool.ts'
import { type Migration, readMigrations } from './schema-files.ts'

/** Another version made the database, or the migrations do not work in it; the message says which. */
export class MigrationError extends OperatorError {}

type AppliedMigration = Omit<Migration, 'sql'>

/** Reads the migrations a database has, in their order; none where their table is missing. Waits for no migration. */
export async function readAppliedMigrations(db: Db): Promise<AppliedMigration[]> {
  const [table] = await db<{ exists: boolean }[]>`select to_regclass('schema_migrations') is not null as exists`
  if (!table!.exists) return []
  return [...(await db<AppliedMigration[]>`select number, name, sha256 from schema_migrations order by number`)]
}

const isSame = (a: AppliedMigration, b?: AppliedMigration) => a.name === b?.name && a.sha256 === b.sha256

/** Returns the migrations that a database lacks. Throws a MigrationError when it is of a newer version, or of none that was released. */
export function findPending(applied: AppliedMigration[], migrations = readMigrations()): Migration[] {
  const unknown = applied.find((migration, i) => !isSame(migration, migrations[i]))
  if (!unknown) return migrations.slice(applied.length)
  if (unknown.number > migrations.at(-1)!.number)
    throw new MigrationError(
      `The database has migration ${unknown.name}, which this version does not know. Start a newer version.`,
    )
  throw new MigrationError(
    `The database has another migration ${unknown.name} than this version: one of the two was never released. Start with an empty database.`,
  )
}

/** Throws a MigrationError, which says what to do, unless the database has the schema of this version. Changes nothing. */
export async function assertCurrentSchema(db: Db, migrations = readMigrations()): Promise<void> {
  const applied = await readAppliedMigrations(db)
  if (applied.length === 0) {
    throw new MigrationError(
      'The database has no tables of PlateNote: correct DATABASE_URL or DATA_DIR, or start PlateNote (or platenote migrate), which makes them.',
    )
  }
  const pending = findPending(applied, migrations).length
  if (pending > 0) {
    throw new MigrationError(
      `The database is older than this version by ${pending} ${pending === 1 ? 'migration' : 'migrations'}: run the command of the version that is running, or upgrade first (make a backup, then start this version or platenote migrate).`,
    )
  }
}
