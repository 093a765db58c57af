import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { FileStore } from '../files/file-store.ts'
import { RETENTION } from '../retention.ts'
import { HOUR_MS } from '../time.ts'
import {
  deleteCopiedDeletions,
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
/** How long a day's file is kept, RETENTION.deletions.period, and a few days more for those on which nothing ran. */
const LOOK_BACK_DAYS = 90 + 10

const DAY_MS = 24 * HOUR_MS

const fileNameOf = (day: string) => `deletions-${day}.json`

/** Copies what was deleted since the last time into the files of its days. Of several processes one does. */
export async function copyDeletions(db: Pool, files: FileStore): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await lockJournal(tx))) return
    for (const day of await listDaysToCopy(tx)) {
      const deletions = await listDeletions(tx, day)
      await files.put(fileNameOf(day), Buffer.from(JSON.stringify(deletions)))
      await markCopied(tx, deletions)
    }
  })
}

/** Deletes entries of deletions that are older than any backup should be. */
export async function forgetOldDeletions(db: Pool, files: FileStore): Promise<void> {
  // by the rows and not by the calendar: after a long stop there are files of any age
  for (const day of await listForgottenDays(db, RETENTION.deletions.period)) {
    await files.remove(fileNameOf(day))
    await deleteCopiedDeletions(db, day)
  }
}

export type Journal = {
  deletions: DatedDeletion[]
  /** How many days it has files of. */
  days: number
}

/** Reads the files that a store has of the days since a backup, and of those before it that are still kept. */
export async function readJournal(files: FileStore, backupStartedAt: string): Promise<Journal> {
  const journal: Journal = { deletions: [], days: 0 }
  const now = Date.now() // once: midnight may pass meanwhile
  const backupAge = Math.ceil((now - Date.parse(backupStartedAt)) / DAY_MS)
  for (let age = Math.max(LOOK_BACK_DAYS, backupAge); age >= 0; age--) {
    const day = new Date(now - age * DAY_MS).toISOString().slice(0, 10)
    const bytes = await files.get(fileNameOf(day))
    if (bytes) addDay(journal, day, bytes.toString())
  }
  return journal
}

/** Adds the files of days below a folder: a copy of a store, or of its bucket. */
export async function addJournalFolder(journal: Journal, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const [, day] = FILE_NAME.exec(entry.name) ?? []
    if (day && entry.isFile()) addDay(journal, day, await readFile(join(entry.parentPath, entry.name), 'utf8'))
  }
}

function addDay(journal: Journal, day: string, text: string) {
  journal.days++
  for (const deletion of JournalFile.parse(JSON.parse(text))) journal.deletions.push({ ...deletion, day })
}
