import type { AppContext } from '../context.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import { describeError } from '../log/safe-error.ts'
import { MINUTE_MS } from '../time.ts'
import { imageFileName } from './image-url.ts'
import { deleteUnusedAttachments, listFilesToDelete, markFileDeleted } from './queries.ts'

const FILES_PER_BATCH = 200
/** After the first look, which goes back to the beginning. */
const LOOKBACK_DAYS = 2
const UNLIMITED_DAYS = 36_500

type CleanupContext = Pick<AppContext, 'db' | 'files' | 'log'>

/**
 * Removes images nobody used and the files of deleted ones. Safe in several processes at once: every step may be repeated.
 *
 * @param sinceDays how far back unused images are looked for
 */
export async function cleanUpAttachments(context: CleanupContext, sinceDays: number): Promise<void> {
  await deleteUnusedAttachments(context.db, sinceDays)
  await removeDeletedFiles(context)
}

/** A file that cannot be deleted stays on the list and does not stand before the others. */
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

/** Removes the files of deleted images now, not within a minute; what fails is left to the next round. */
export const removeDeletedFilesInBackground = (context: CleanupContext): void =>
  void removeDeletedFiles(context).catch((error: unknown) =>
    context.log.warn({ fault: describeError(error) }, 'files of deleted images are left to the next round'),
  )

/** Tidies now and every minute, until stopped. */
export function startAttachmentCleanup(context: CleanupContext): BackgroundJob {
  let sinceDays = UNLIMITED_DAYS
  return startIntervalJob(context.log, 'tidying attachments', MINUTE_MS, async () => {
    await cleanUpAttachments(context, sinceDays)
    sinceDays = LOOKBACK_DAYS
  })
}
