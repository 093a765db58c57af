import type { AppContext } from '../context.ts'
import { removeDeletedFiles } from '../files/remove-deleted-files.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import { describeError } from '../log/safe-error.ts'
import { MINUTE_MS } from '../time.ts'
import { deleteExpiredDocuments, forgetDocumentFile, listDocumentFilesToDelete } from './queries.ts'
import { encryptedFileName } from './store-document.ts'

type CleanupContext = Pick<AppContext, 'db' | 'files' | 'log'>

/**
 * Deletes documents that are not needed any more, and the files of deleted ones. Several processes may do so at once: every
 * step can be repeated.
 */
export async function cleanUpDocuments(context: CleanupContext, stopping?: AbortSignal): Promise<void> {
  await deleteExpiredDocuments(context.db)
  await removeFiles(context, stopping)
}

/** Removes the files of deleted documents. */
const removeFiles = ({ db, files, log }: CleanupContext, stopping?: AbortSignal): Promise<void> =>
  removeDeletedFiles(
    log,
    {
      list: (after, limit) => listDocumentFilesToDelete(db, after, limit),
      remove: (name) => files.remove(encryptedFileName(name)),
      forget: (name) => forgetDocumentFile(db, name),
    },
    stopping,
  )

/** Removes the files of deleted documents now instead of within a minute; what fails is left to the next run. */
export const removeDeletedDocumentsInBackground = (context: CleanupContext): void =>
  void removeFiles(context).catch((error: unknown) =>
    context.log.warn({ error: describeError(error) }, 'files of deleted documents are left to the next round'),
  )

/** Starts cleaning up now and every minute. */
export const startDocumentCleanup = (context: CleanupContext): BackgroundJob =>
  startIntervalJob(context, 'deleting documents', MINUTE_MS, (stopping) => cleanUpDocuments(context, stopping))
