import type { AppContext } from '../context.ts'
import { type DeletedFiles, removeDeletedFiles } from '../files/remove-deleted-files.ts'
import { removeInBackground } from '../files/remove-in-background.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import { MINUTE_MS } from '../time.ts'
import { imageFileName } from './image-url.ts'
import { deleteUnusedAttachments, forgetImageFile, listImageFilesToDelete } from './queries.ts'

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
  await removeDeletedFiles(context.log, deletedImageFiles(context), stopping)
}

const deletedImageFiles = ({ db, files }: Pick<CleanupContext, 'db' | 'files'>): DeletedFiles => ({
  list: (after, limit) => listImageFilesToDelete(db, after, limit),
  remove: (name) => files.remove(imageFileName(name)),
  forget: (name) => forgetImageFile(db, name),
})

/** Removes the files of deleted images now instead of within a minute; what fails is left to the next run. */
export const removeDeletedImagesInBackground = (context: CleanupContext): void =>
  removeInBackground(context.log, 'images', deletedImageFiles(context))

/** Starts cleaning up now and every minute. */
export function startAttachmentCleanup(context: CleanupContext): BackgroundJob {
  let sinceDays = UNLIMITED_DAYS
  return startIntervalJob(context, 'tidying attachments', MINUTE_MS, async (stopping) => {
    await cleanUpAttachments(context, sinceDays, stopping)
    sinceDays = LOOKBACK_DAYS
  })
}
