import type { AppContext } from '../context.ts'
import { removeDeletedFiles } from '../files/remove-deleted-files.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import { MINUTE_MS } from '../time.ts'
import { deleteUnusedAttachments } from './queries.ts'

type CleanupContext = Pick<AppContext, 'db' | 'files' | 'log'>

/** Deletes unused images and the files of deleted ones. Several processes may do so at once: every step can be repeated. */
export async function cleanUpAttachments(context: CleanupContext, stopping?: AbortSignal): Promise<void> {
  await deleteUnusedAttachments(context.db)
  await removeDeletedFiles(context, stopping)
}

/** Starts cleaning up now and every minute. */
export const startAttachmentCleanup = (context: CleanupContext): BackgroundJob =>
  startIntervalJob(context, 'tidying attachments', MINUTE_MS, (stopping) => cleanUpAttachments(context, stopping))
