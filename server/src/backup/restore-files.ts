import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../files/file-store.ts'
import { type Backup, filePath, listFiles, readContent } from './backup-files.ts'
import { hasJournal } from './deletion-journal.ts'
import { storeErrorCode } from './stored-files.ts'

/** Runs a task for each file, also when it fails for others. Returns a description of the failures; null when there were none. */
export async function tryEach(
  names: Iterable<string>,
  work: (name: string) => Promise<unknown>,
): Promise<string | null> {
  let [count, example] = [0, '']
  for (const name of names) {
    try {
      await work(name)
    } catch (error) {
      if (count++ === 0) example = `${storeErrorCode(error)}; the first: ${name}`
    }
  }
  return count > 0 ? `${count} (${example})` : null
}

/** So many files of a backup are looked for in a store before it counts as another one. */
const SAMPLE_FILES = 100

/** Returns whether a store has something of an installation: its journal of deletions, or files of the backup. */
export async function isStoreUsed(files: FileStore, backup: Backup): Promise<boolean> {
  if (await hasJournal(files)) return true
  let looked = 0
  for await (const name of listFiles(backup)) {
    if (await files.get(name)) return true
    if (++looked === SAMPLE_FILES) break
  }
  return false
}

/** Opens a store for the files of a backup, so that they can be taken back until the restore has succeeded. */
export function restoreFiles(files: FileStore, backup: Backup) {
  const added: string[] = []
  return {
    /** Writes what the store does not have yet, or has with another content, which is damaged: names are never used twice. */
    async write(): Promise<void> {
      for await (const name of listFiles(backup)) {
        const bytes = await buffer(readContent(backup, filePath(name)))
        const found = await files.get(name)
        if (found?.equals(bytes)) continue
        // noted before it is written: a write without a response may have happened
        if (!found) added.push(name)
        await files.put(name, bytes)
      }
    },
    /** Takes away what was added, as far as the store lets itself be changed. */
    takeBack: (): Promise<string | null> => tryEach(added, (name) => files.remove(name)),
  }
}
