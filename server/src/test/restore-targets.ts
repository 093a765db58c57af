import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { FileSums } from '../backup/backup-files.ts'
import { type Manifest, sha256 } from '../backup/manifest.ts'
import { createEmptyTestDatabase, openTestPool } from './database.ts'

/** Creates a database without a table, for a hook: hooks register none that run after the whole file, so it is dropped by hand. */
export async function createEmptyDatabaseToDrop() {
  const database = await createEmptyTestDatabase()
  return { ...database, db: openTestPool(database.connection, 2), database: { ...database, drop: async () => {} } }
}

/** Creates a database without a table, which is dropped after the test or the file that asked for it. */
export async function createEmptyDatabase() {
  const { drop, ...created } = await createEmptyDatabaseToDrop()
  after(drop)
  return created
}

/** Changes a file of a backup, and what the list says of it. */
export function rewrite(backup: string, path: string, content: Buffer | string) {
  writeFileSync(join(backup, path), content)
  const list = join(backup, 'SHA256SUMS')
  const sums = new FileSums()
  sums.add(Buffer.from(content))
  const old = new RegExp(`^#.*\\n.*  ${RegExp.escape(path)}\\n`, 'm')
  writeFileSync(list, readFileSync(list, 'utf8').replace(old, sums.toLines(path)))
}

/** Changes the manifest of a backup, and gives everything the sum that is right for it. */
export function reseal(backup: string, change: (manifest: Manifest) => void) {
  const manifest = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8')) as Manifest
  const lines = readFileSync(join(backup, 'SHA256SUMS'), 'utf8').split('\n').slice(0, -3)
  manifest.listSha256 = sha256(lines.map((line) => `${line}\n`).join(''))
  change(manifest)
  rewrite(backup, 'backup.json', JSON.stringify(manifest))
}

/** Takes an account out of a backup whose sums are right afterwards: what refers to it makes the restore fail at its end. */
export function removeAccount(backup: string) {
  const file = 'database/auth.users.jsonl.gz'
  const lines = gunzipSync(readFileSync(join(backup, file)))
    .toString()
    .split('\n')
    .slice(1)
    .join('\n')
  rewrite(backup, file, gzipSync(lines))
  reseal(backup, ({ tables }) => {
    tables.find(({ name }) => name === 'auth.users')!.rows--
  })
}
