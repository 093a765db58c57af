import type { AppContext } from '../context.ts'
import { type DeletedFiles, removeDeletedFiles } from '../files/remove-deleted-files.ts'
import { removeInBackground } from '../files/remove-in-background.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
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
  await removeDeletedFiles(context.log, deletedDocumentFiles(context), stopping)
}

const deletedDocumentFiles = ({ db, files }: Pick<CleanupContext, 'db' | 'files'>): DeletedFiles => ({
  list: (after, limit) => listDocumentFilesToDelete(db, after, limit),
  remove: (name) => files.remove(encryptedFileName(name)),
  forget: (name) => forgetDocumentFile(db, name),
})

/** Removes the files of deleted documents now instead of within a minute; what fails is left to the next run. */
export const removeDeletedDocumentsInBackground = (context: CleanupContext): void =>
  removeInBackground(context.log, 'documents', deletedDocumentFiles(context))

/** Starts cleaning up now and every minute. */
export const startDocumentCleanup = (context: CleanupContext): BackgroundJob =>
  startIntervalJob(context, 'deleting documents', MINUTE_MS, (stopping) => cleanUpDocuments(context, stopping))
