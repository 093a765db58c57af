import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'
import { type DeletedFiles, removeDeletedFiles } from './remove-deleted-files.ts'

/**
 * Removes files that are on a list now instead of within a minute; what fails is left to the next run.
 *
 * @param what the files are of, for the log
 */
export const removeInBackground = (log: Logger, what: 'images' | 'documents', deleted: DeletedFiles): void =>
  void removeDeletedFiles(log, deleted).catch((error: unknown) =>
    log.warn({ error: describeError(error) }, `files of deleted ${what} are left to the next round`),
  )
