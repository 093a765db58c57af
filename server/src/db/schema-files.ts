import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whose `schema.sql` makes the tables of an empty database, in this order: each after those that it refers to. */
const FEATURES = [
  'db',
  'backup',
  'auth',
  'limits',
  'preferences',
  'encryption',
  'jobs',
  'subjects',
  'sanctions',
  'vehicles',
  'vehicle-people',
  'disputes',
  'files',
  'documents',
  'attachments',
  'messages',
  'notifications',
  'email',
  'audit',
  'push',
  'contact',
  'blocks',
  'consent',
  'reports',
  'tags',
  'notes',
  'collisions',
  'admin',
]

export type Migration = { number: number; name: string; sql: string; sha256: string }

const toMigration = (name: string, sql: string): Migration => ({
  number: Number(name.slice(0, 4)),
  name,
  sql,
  sha256: createHash('sha256').update(sql).digest('hex'),
})

/** Returns the statements that make the tables of an empty database. */
export const readSchema = (): string =>
  FEATURES.map((feature) => readFileSync(join(import.meta.dirname, '..', feature, 'schema.sql'), 'utf8')).join('\n')

/** Makes the tables of the first release. */
export const FIRST_MIGRATION = '0001_schema.sql'
export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')

/**
 * Returns the migrations, by which a database of any release becomes what the schema files make. Until the first release the one
 * migration is the schema files; that release keeps them beside the migrations that follow (`keep-released-schema.ts`).
 */
export function readMigrations(folder = MIGRATIONS_FOLDER): Migration[] {
  const names = globSync('*.sql', { cwd: folder }).sort()
  if (names.length === 0) return [toMigration(FIRST_MIGRATION, readSchema())]
  const migrations = names.map((name) => toMigration(name, readFileSync(join(folder, name), 'utf8')))
  const stray = migrations.find(({ number }, i) => number !== i + 1)
  if (stray) throw new Error(`The number of migration ${stray.name} does not follow the one before.`)
  return migrations
}
