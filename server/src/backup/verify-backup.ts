import type { MasterKeys } from '../encryption/envelope-encryption.ts'
import type { Identity } from './age.ts'
import { type Backup, openBackup, readContent, tablePath, verifyFiles } from './backup-files.ts'
import { BackupError } from './manifest.ts'
import { readRows } from './table-files.ts'

/**
 * Checks that a backup is whole and unchanged, and that these keys open it. Reads the folder alone. Of one that is encrypted, and is
 * verified without an identity, nothing is known but that.
 *
 * @returns the backup, or how many files the encrypted one has
 * @throws BackupError that names the first thing that is wrong
 */
export async function verifyBackup(
  folder: string,
  loadKeys: () => MasterKeys,
  identity?: Identity,
): Promise<Backup | { manifest: null; count: number }> {
  const backup = await openBackup(folder, identity)
  if (!backup.manifest) return { manifest: null, count: await verifyFiles(backup) }
  const { byId } = loadKeys()
  const missing = backup.manifest.keyIds.filter((id) => !byId.has(id))
  if (missing.length > 0)
    throw new BackupError(
      `MASTER_KEY and MASTER_KEYS_OLD do not open this backup: key ${missing.join(', ')} is missing. Set the keys of the day it was made.`,
    )
  await verifyFiles(backup)
  for (const { name, rows } of backup.manifest.tables) await verifyRows(backup, name, rows)
  return backup
}

/** Counts the rows of a table as a restore reads them: a sum says only that the file is the one that was written. */
async function verifyRows(backup: Backup, table: string, expected: number) {
  let found = 0
  for await (const _ of readRows(readContent(backup, tablePath(table)))) found++
  if (found !== expected)
    throw new BackupError(`${tablePath(table)} has ${found} lines instead of ${expected}. Take another backup.`)
}
