import { join } from 'node:path'
import type { MasterKeys } from '../encryption/envelope-encryption.ts'
import {
  BackupError,
  explainUnreadable,
  FILE_LIST,
  FileEntry,
  filePath,
  type Manifest,
  readManifest,
  tablePath,
} from './manifest.ts'
import { readLines, sumFile } from './table-files.ts'

/**
 * Checks that a backup is whole and unchanged, and that these keys open it. Reads the folder alone.
 *
 * @throws BackupError that names the first thing that is wrong
 */
export async function verifyBackup(folder: string, keys: MasterKeys): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const missing = manifest.keyIds.filter((id) => !keys.byId.has(id))
  if (missing.length > 0)
    throw new BackupError(
      `MASTER_KEY and MASTER_KEYS_OLD do not open this backup: key ${missing.join(', ')} is missing. Set the keys of the day it was made.`,
    )
  for (const { name, rows, sha256 } of manifest.tables) {
    await verifyFile(tablePath(folder, name), sha256)
    await verifyLines(tablePath(folder, name), rows)
  }
  await verifyFile(join(folder, FILE_LIST), manifest.files.sha256)
  await verifyLines(join(folder, FILE_LIST), manifest.files.count)
  for await (const entry of readFileList(folder)) await verifyFile(filePath(folder, entry.name), entry.sha256)
  return manifest
}

/** Reads the list of a backup's files. */
export async function* readFileList(folder: string): AsyncGenerator<FileEntry> {
  for await (const line of readLines(join(folder, FILE_LIST))) yield FileEntry.parse(JSON.parse(line))
}

async function verifyFile(path: string, sha256: string) {
  if ((await sumFile(path).catch(explainUnreadable(path))) !== sha256)
    throw new BackupError(`${path} was changed or cut short. Take another backup.`)
}

/** Counts the lines as a restore reads them: a sum says only that the file is the one that was written. */
async function verifyLines(path: string, expected: number) {
  let found = 0
  for await (const _ of readLines(path)) found++
  if (found !== expected)
    throw new BackupError(`${path} has ${found} lines instead of ${expected}. Take another backup.`)
}
