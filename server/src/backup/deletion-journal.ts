import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { FileStore } from '../files/file-store.ts'
import { RETENTION } from '../retention.ts'
import { HOUR_MS } from '../time.ts'
import { deleteOldDeletions, listDaysToCopy, listDeletions, lockJournal, markCopied } from './queries.ts'

// The journal of deletions: one file for each day in the store of photos, which a lost database does not take along.

/** A row that was deleted: `vehicles` as `public.vehicles`. */
export type Deletion = { table_name: string; row_id: string }

const JournalFile = z.array(z.object({ table_name: z.string().regex(/^[a-z_]+\.[a-z_]+$/), row_id: z.uuid() }))
const FILE_NAME = /^deletions-\d{4}-\d\d-\d\d\.json$/
/** How long a day's file is kept; RETENTION.deletions.period of the rows is the same. */
const KEPT_DAYS = 90

const DAY_MS = 24 * HOUR_MS

const fileNameOf = (day: string) => `deletions-${day}.json`
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

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

/** Forgets deletions that are older than any backup should be. */
export async function forgetOldDeletions(db: Pool, files: FileStore): Promise<void> {
  await deleteOldDeletions(db, RETENTION.deletions.period)
  // a few days more than one, for days on which nothing ran
  for (let days = KEPT_DAYS + 1; days <= KEPT_DAYS + 10; days++) await files.remove(fileNameOf(dayBefore(days)))
}

/** Reads the files of the days that a store still has; `days` counts them. */
export async function readJournal(files: FileStore): Promise<{ deletions: Deletion[]; days: number }> {
  const deletions: Deletion[] = []
  let days = 0
  for (let age = KEPT_DAYS + 10; age >= 0; age--) {
    const bytes = await files.get(fileNameOf(dayBefore(age)))
    if (!bytes) continue
    days++
    for (const deletion of parse(bytes.toString())) deletions.push(deletion)
  }
  return { deletions, days }
}

/** Reads the files of days below a folder: a copy of a store, or of its bucket. */
export async function readJournalFolder(folder: string): Promise<{ deletions: Deletion[]; days: number }> {
  const deletions: Deletion[] = []
  let days = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !FILE_NAME.test(entry.name)) continue
    days++
    for (const deletion of parse(await readFile(join(entry.parentPath, entry.name), 'utf8'))) deletions.push(deletion)
  }
  return { deletions, days }
}

const parse = (text: string): Deletion[] => JournalFile.parse(JSON.parse(text))
