import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { FileStore } from '../files/file-store.ts'
import { RETENTION } from '../retention.ts'
import { DAY_MS } from '../time.ts'
import { BackupError, parseJson } from './manifest.ts'
import {
  deleteCopiedDeletions,
  deleteUndoneDeletions,
  listDaysToCopy,
  listDeletions,
  listForgottenDays,
  lockJournal,
  markCopied,
} from './queries.ts'

// The journal of deletions: one file for each day in the store of photos, which a lost database does not take along.

/** A row that was deleted: `vehicles` as `public.vehicles`. */
export type Deletion = { table_name: string; row_id: string }
/** A deletion of a day (UTC). */
export type DatedDeletion = Deletion & { day: string }

const JournalFile = z.array(z.object({ table_name: z.string().regex(/^[a-z_]+\.[a-z_]+$/), row_id: z.uuid() }))
const FILE_NAME = /^deletions-(\d{4}-\d\d-\d\d)\.json$/
/** How long a day's file is kept, RETENTION.deletions, and a few days more for those on which nothing ran. */
const LOOK_BACK_DAYS = 90 + 10

const fileNameOf = (day: string) => `deletions-${day}.json`

/**
 * Copies what was deleted since the last time into the files of its days, and takes out of them what is back. Of several processes one
 * does.
 */
export async function copyDeletions(db: Pool, files: FileStore): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await lockJournal(tx))) return
    for (const day of await listDaysToCopy(tx)) {
      await deleteUndoneDeletions(tx, day)
      const deletions = await listDeletions(tx, day)
      // a file without a row would never be forgotten
      if (deletions.length === 0) await files.remove(fileNameOf(day))
      else await files.put(fileNameOf(day), Buffer.from(JSON.stringify(deletions)))
      await markCopied(tx, deletions)
    }
  })
}

/** Returns whether a store has the file of any day that is still kept. */
export async function hasJournal(files: FileStore): Promise<boolean> {
  const now = Date.now()
  for (let age = 0; age <= LOOK_BACK_DAYS; age++)
    if (await files.get(fileNameOf(new Date(now - age * DAY_MS).toISOString().slice(0, 10)))) return true
  return false
}

/** Deletes entries of deletions that are older than any backup should be. */
export async function forgetOldDeletions(db: Pool, files: FileStore): Promise<void> {
  // by the rows and not by the calendar: after a long stop there are files of any age
  for (const day of await listForgottenDays(db, RETENTION.deletions)) {
    await files.remove(fileNameOf(day))
    await deleteCopiedDeletions(db, day)
  }
}

type Journal = {
  deletions: DatedDeletion[]
  /** The days it has files of. */
  days: Set<string>
}

/**
 * Reads the files that a store has of the days since a backup, and of those before it that are still kept, then those below
 * further folders, of any day.
 *
 * @throws BackupError when a folder has none, or a file is damaged that no folder has whole
 */
export async function readJournal(
  files: FileStore,
  backupStartedAt: string,
  folders: string[] = [],
): Promise<{ deletions: DatedDeletion[]; days: number }> {
  const journal: Journal = { deletions: [], days: new Set() }
  const damaged: string[] = []
  const now = Date.now() // once: midnight may pass meanwhile
  const backupAge = Math.ceil((now - Date.parse(backupStartedAt)) / DAY_MS)
  for (let age = Math.max(LOOK_BACK_DAYS, backupAge); age >= 0; age--) {
    const day = new Date(now - age * DAY_MS).toISOString().slice(0, 10)
    const bytes = await files.get(fileNameOf(day))
    if (bytes && !addDay(journal, day, bytes.toString())) damaged.push(day)
  }
  for (const folder of folders) await addFolder(journal, folder)
  const lost = damaged.find((day) => !journal.days.has(day))
  if (lost)
    throw new BackupError(
      `${fileNameOf(lost)} in the store of photos is damaged. Name a folder with a whole copy of it with --deletions, or delete it: what was deleted on that day and is in the backup comes back then.`,
    )
  return { deletions: journal.deletions, days: journal.days.size }
}

/** Adds the files of days below a folder: a copy of a store, or of its bucket. */
async function addFolder(journal: Journal, folder: string) {
  let found = 0
  for (const { path, day } of await listJournalFiles(folder)) {
    found++
    if (!addDay(journal, day, await readFile(path, 'utf8').catch(explainUnreadable(path))))
      throw new BackupError(
        `${path} is damaged. Take it away, or put a whole copy in its place: without one, what was deleted on that day and is in the backup comes back.`,
      )
  }
  if (found === 0)
    throw new BackupError(
      `${folder} has no file of the journal of deletions (deletions-<date>.json). Name the folder of the old store, or a copy of it, or leave the option out.`,
    )
}

async function listJournalFiles(folder: string): Promise<{ path: string; day: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(explainUnreadable(folder))
  return entries.flatMap((entry) => {
    const [, day] = FILE_NAME.exec(entry.name) ?? []
    return day && entry.isFile() ? [{ path: join(entry.parentPath, entry.name), day }] : []
  })
}

const explainUnreadable = (path: string) => (error: NodeJS.ErrnoException) => {
  throw new BackupError(`${path} cannot be read (${error.code}): it is to have files of the journal of deletions.`)
}

/** Adds the file of a day; returns false when it is damaged. */
function addDay(journal: Journal, day: string, text: string): boolean {
  const found = JournalFile.safeParse(parseJson(text))
  if (!found.success) return false
  journal.days.add(day)
  for (const deletion of found.data) journal.deletions.push({ ...deletion, day })
  return true
}
