import type { AppContext } from '../context.ts'
import { removeDeletedFiles } from '../files/remove-deleted-files.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import { MINUTE_MS } from '../time.ts'
import { deleteExpiredDocuments } from './queries.ts'

type CleanupContext = Pick<AppContext, 'db' | 'files' | 'log'>

/**
 * Deletes documents that are not needed any more, and the files of deleted ones. Several processes may do so at once: every
 * step can be repeated.
 */
export async function cleanUpDocuments(context: CleanupContext, stopping?: AbortSignal): Promise<void> {
  await deleteExpiredDocuments(context.db)
  await removeDeletedFiles(context, stopping)
}

/** Starts cleaning up now and every minute. */
export const startDocumentCleanup = (context: CleanupContext): BackgroundJob =>
  startIntervalJob(context, 'deleting documents', MINUTE_MS, (stopping) => cleanUpDocuments(context, stopping))
