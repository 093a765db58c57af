import type { AppContext } from '../context.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import { describeError } from '../log/safe-error.ts'
import { MINUTE_MS } from '../time.ts'
import { imageFileName } from './image-url.ts'
import { deleteUnusedAttachments, listFilesToDelete, markFileDeleted } from './queries.ts'

const FILES_PER_BATCH = 200
/** Used after the first run, which goes back to the beginning. */
const LOOKBACK_DAYS = 2
const UNLIMITED_DAYS = 36_500

type CleanupContext = Pick<AppContext, 'db' | 'files' | 'log'>

/**
 * Deletes unused images and the files of deleted ones. Several processes may do so at once: every step can be repeated.
 *
 * @param sinceDays how far back to look for unused images
 */
export async function cleanUpAttachments(context: CleanupContext, sinceDays: number): Promise<void> {
  await deleteUnusedAttachments(context.db, sinceDays)
  await removeDeletedFiles(context)
}

/** Removes the files of deleted images. One that cannot be removed stays on the list and does not block the others. */
async function removeDeletedFiles({ db, files, log }: CleanupContext): Promise<void> {
  for (let after = ''; ; ) {
    const names = await listFilesToDelete(db, after, FILES_PER_BATCH)
    for (const name of names) {
      try {
        await files.remove(imageFileName(name))
        await markFileDeleted(db, name)
      } catch (error) {
        log.warn({ fault: describeError(error) }, 'a file could not be deleted; it is tried again')
      }
    }
    after = names.at(-1) ?? after
    if (names.length < FILES_PER_BATCH) return
  }
}

/** Removes the files of deleted images now instead of within a minute; what fails is left to the next run. */
export const removeDeletedFilesInBackground = (context: CleanupContext): void =>
  void removeDeletedFiles(context).catch((error: unknown) =>
    context.log.warn({ fault: describeError(error) }, 'files of deleted images are left to the next round'),
  )

/** Starts cleaning up now and every minute. */
export function startAttachmentCleanup(context: CleanupContext): BackgroundJob {
  let sinceDays = UNLIMITED_DAYS
  return startIntervalJob(context.log, 'tidying attachments', MINUTE_MS, async () => {
    await cleanUpAttachments(context, sinceDays)
    sinceDays = LOOKBACK_DAYS
  })
}
