import type { Db } from '../db/pool.ts'
import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'
import type { FileStore } from './file-store.ts'

const FILES_PER_BATCH = 200

type RemovalContext = { db: Db; files: FileStore; log: Logger }

/**
 * Removes the files whose rows were deleted. One that cannot be removed stays on the list and does not block the others. Ends
 * early when it is aborted; the next run goes on. Several processes may do so at once: every step can be repeated.
 */
export async function removeDeletedFiles({ db, files, log }: RemovalContext, stopping?: AbortSignal): Promise<void> {
  for (let after = ''; ; ) {
    const names = await listFilesToDelete(db, after)
    for (const name of names) {
      if (stopping?.aborted) return
      try {
        await files.remove(name)
        await forgetFile(db, name)
      } catch (error) {
        log.warn({ error: describeError(error) }, 'a file could not be deleted; it is tried again')
      }
    }
    after = names.at(-1) ?? after
    if (names.length < FILES_PER_BATCH) return
  }
}

/** Removes them now instead of within a minute; what fails is left to the next run. */
export const removeDeletedFilesInBackground = (context: RemovalContext): void =>
  void removeDeletedFiles(context).catch((error: unknown) =>
    context.log.warn({ error: describeError(error) }, 'deleted files are left to the next round'),
  )

/** Records a file before it is written: it is deleted in an hour unless `forgetFile` comes first. */
export const rememberFile = async (db: Db, name: string): Promise<void> => {
  await db`insert into files_to_delete (name, delete_after) values (${name}, now() + interval '1 hour')`
}

/** Takes a file off the list of those to delete. Returns false when it was not on it any more. */
export const forgetFile = async (db: Db, name: string): Promise<boolean> => {
  const { count } = await db`delete from files_to_delete where name = ${name}`
  return count === 1
}

/** Lists files to delete in alphabetical order, after a given one. */
async function listFilesToDelete(db: Db, after: string): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select name from files_to_delete
    where delete_after <= now() and name > ${after}
    order by name limit ${FILES_PER_BATCH}`
  return rows.map(({ name }) => name)
}
