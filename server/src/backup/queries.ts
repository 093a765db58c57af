import type { Db } from '../db/pool.ts'
import type { DatedDeletion, Deletion } from './deletion-journal.ts'

// any number works that no other program on the database uses
const JOURNAL_LOCK = 727_120_457

/** Locks the journal until the end of the transaction; returns false when another process has it. */
export const lockJournal = async (tx: Db): Promise<boolean> => {
  const [row] = await tx<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${JOURNAL_LOCK}) as locked`
  return row!.locked
}

/** Lists the days (UTC) of deletions that are in no file yet, or are to go from one. */
export const listDaysToCopy = async (db: Db): Promise<string[]> => {
  const rows = await db<{ day: string }[]>`
    select distinct to_char(deleted_at, 'YYYY-MM-DD') as day from deletions where not is_copied order by day`
  return rows.map(({ day }) => day)
}

/** Deletes what was deleted on a day and is back. */
export const deleteUndoneDeletions = async (tx: Db, day: string): Promise<void> => {
  await tx`delete from deletions where is_undone and deleted_at >= ${day}::date and deleted_at < ${day}::date + 1`
}

/** Lists everything that was deleted on a day. */
export const listDeletions = async (db: Db, day: string): Promise<Deletion[]> => {
  const rows = await db<Deletion[]>`
    select table_name, row_id from deletions
    where not is_undone and deleted_at >= ${day}::date and deleted_at < ${day}::date + 1
    order by deleted_at, row_id`
  return [...rows]
}

/** Lists everything that is still known to be deleted. */
export const listEveryDeletion = async (db: Db): Promise<DatedDeletion[]> => [
  ...(await db<
    DatedDeletion[]
  >`select table_name, row_id, to_char(deleted_at, 'YYYY-MM-DD') as day from deletions where not is_undone`),
]

/** Records what was deleted on a day, unless it is known already. */
export const insertDeletions = async (tx: Db, day: string, deletions: Deletion[]): Promise<void> => {
  const [tables, ids] = [deletions.map(({ table_name }) => table_name), deletions.map(({ row_id }) => row_id)]
  await tx`
    insert into deletions (table_name, row_id, deleted_at)
    select table_name, row_id, ${day}::timestamptz from unnest(${tables}::text[], ${ids}::uuid[]) as t (table_name, row_id)
    on conflict do nothing`
}

/** Makes every deletion stand in no file, so that all files are written anew: a store may be another one. */
export const markNothingCopied = async (tx: Db): Promise<void> => {
  await tx`update deletions set is_copied = false where is_copied`
}

/** Records that deletions stand in a file. */
export const markCopied = async (db: Db, deletions: Deletion[]): Promise<void> => {
  await db`
    update deletions set is_copied = true
    where row_id = any(${deletions.map(({ row_id }) => row_id)}::uuid[]) and not is_copied and not is_undone`
}

/** Lists the days (UTC) that ended longer ago than the period. */
export const listForgottenDays = async (db: Db, period: string): Promise<string[]> => {
  const rows = await db<{ day: string }[]>`
    select distinct to_char(deleted_at, 'YYYY-MM-DD') as day from deletions
    where is_copied and deleted_at < date_trunc('day', now() - ${period}::interval)`
  return rows.map(({ day }) => day)
}

/** Deletes what stands in the file of a day. */
export const deleteCopiedDeletions = async (db: Db, day: string): Promise<void> => {
  await db`
    delete from deletions where is_copied and deleted_at >= ${day}::date and deleted_at < ${day}::date + 1`
}

/** Deletes rows of any table by their ids. */
export const deleteRows = async (tx: Db, table: string, ids: string[]): Promise<number> => {
  const { count } = await tx`delete from ${tx(table)} where id = any(${ids}::uuid[])`
  return count
}
