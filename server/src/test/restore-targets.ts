import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Manifest, sha256 } from '../backup/manifest.ts'
import { openPool } from '../db/pool.ts'
import { createEmptyTestDatabase } from './database.ts'

/** Creates a database without a table, for a hook: hooks register none that run after the whole file, so it is dropped by hand. */
export async function createEmptyDatabaseToDrop() {
  const database = await createEmptyTestDatabase()
  return { ...database, db: openPool(database.connection, 2), database: { ...database, drop: async () => {} } }
}

/** Creates a database without a table, which is dropped after the test or the file that asked for it. */
export async function createEmptyDatabase() {
  const { drop, ...created } = await createEmptyDatabaseToDrop()
  after(drop)
  return created
}

/** Changes the manifest of a backup, and gives it the sum that is right for it. */
export function reseal(backup: string, change: (manifest: Manifest) => void) {
  const file = join(backup, 'backup.json')
  const { manifest } = JSON.parse(readFileSync(file, 'utf8')) as { manifest: Manifest }
  change(manifest)
  writeFileSync(file, JSON.stringify({ sha256: sha256(JSON.stringify(manifest, null, 2)), manifest }, null, 2))
}

/** Takes an account out of a backup whose sums are right afterwards: what refers to it makes the restore fail at its end. */
export function removeAccount(backup: string) {
  const file = join(backup, 'database/auth.users.jsonl.gz')
  const lines = gunzipSync(readFileSync(file)).toString().split('\n').slice(1).join('\n')
  const packed = gzipSync(lines)
  writeFileSync(file, packed)
  reseal(backup, ({ tables }) => {
    const users = tables.find(({ name }) => name === 'auth.users')!
    Object.assign(users, { rows: users.rows - 1, rowsSha256: sha256(lines), sha256: sha256(packed) })
  })
}
