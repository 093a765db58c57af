import type { AppContext } from '../context.ts'
import { removeDeletedFiles } from '../files/remove-deleted-files.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import { MINUTE_MS } from '../time.ts'
import { deleteUnusedAttachments } from './queries.ts'

/** Used after the first run, which goes back to the beginning. */
const LOOKBACK_DAYS = 2
const UNLIMITED_DAYS = 36_500

type CleanupContext = Pick<AppContext, 'db' | 'files' | 'log'>

/**
 * Deletes unused images and the files of deleted ones. Several processes may do so at once: every step can be repeated.
 *
 * @param sinceDays how far back to look for unused images
 */
export async function cleanUpAttachments(
  context: CleanupContext,
  sinceDays: number,
  stopping?: AbortSignal,
): Promise<void> {
  await deleteUnusedAttachments(context.db, sinceDays)
  await removeDeletedFiles(context, stopping)
}

/** Starts cleaning up now and every minute. */
export function startAttachmentCleanup(context: CleanupContext): BackgroundJob {
  let sinceDays = UNLIMITED_DAYS
  return startIntervalJob(context, 'tidying attachments', MINUTE_MS, async (stopping) => {
    await cleanUpAttachments(context, sinceDays, stopping)
    sinceDays = LOOKBACK_DAYS
  })
}
