import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

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

const toMigration = ({ name, sql }: { name: string; sql: string }): Migration => ({
  number: Number(name.slice(0, 4)),
  name,
  sql,
  sha256: createHash('sha256').update(sql).digest('hex'),
})

/** Returns the statements that make the tables of an empty database. */
export const readSchema = (): string[] =>
  FEATURES.map((feature) => readFileSync(join(import.meta.dirname, '..', feature, 'schema.sql'), 'utf8'))

/** Returns the migrations, by which a database of 0.2.0 or later becomes what the schema files make. */
export function readMigrations(): Migration[] {
  const folder = join(import.meta.dirname, 'migrations')
  const names = globSync('[0-9][0-9][0-9][0-9]_*.sql', { cwd: folder }).sort()
  const migrations = names.map((name) => toMigration({ name, sql: readFileSync(join(folder, name), 'utf8') }))
  const duplicate = migrations.find((m, i) => migrations[i + 1]?.number === m.number)
  if (duplicate) throw new Error(`Two migrations have the number ${duplicate.number}.`)
  return migrations
}

/** Returns the migrations of 0.2.0, the oldest release whose databases and backups are taken over, as they were released. */
export function readOldestMigrations(): Migration[] {
  const file = readFileSync(join(import.meta.dirname, 'migrations/0.2.0.json.gz'))
  return (JSON.parse(gunzipSync(file).toString()) as { name: string; sql: string }[]).map(toMigration)
}

/** Returns a hash over all of them, which identifies the state of a schema. */
export const schemaHash = (): string =>
  createHash('sha256')
    .update([...readSchema(), ...readMigrations().map(({ sha256 }) => sha256)].join('\n'))
    .digest('hex')
    .slice(0, 16)
