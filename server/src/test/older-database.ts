import { makeMigrationsTable, runMigration } from '../db/migrate.ts'
import type { Pool } from '../db/pool.ts'
import { type Migration, readOldestMigrations } from '../db/schema-files.ts'

/** Makes the tables of 0.2.0 in an empty database. `before` runs ahead of the migration with its number. */
export async function makeOldestTables(db: Pool, before: Record<number, () => Promise<unknown>> = {}): Promise<void> {
  await makeMigrationsTable(db)
  for (const migration of readOldestMigrations()) {
    await before[migration.number]?.()
    await runMigration(db, migration)
  }
}

/** Makes a database say that it has these migrations and no others. */
export async function setMigrations(db: Pool, migrations: Omit<Migration, 'sql'>[]): Promise<void> {
  await db`delete from schema_migrations`
  for (const { number, name, sha256 } of migrations)
    await db`insert into schema_migrations (number, name, sha256) values (${number}, ${name}, ${sha256})`
}
