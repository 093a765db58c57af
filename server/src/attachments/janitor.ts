import { faultOf } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import { fileName } from './image-url.ts'
import { deleteUnused, fileDeleted, filesToDelete } from './queries.ts'

const EVERY_MS = 60_000
const FILES_AT_ONCE = 200
/** After the first look, which goes back to the beginning. */
const LOOK_BACK_DAYS = 2
const EVER_DAYS = 36_500

/**
 * Removes images nobody used and the files of deleted ones. Safe in several processes at once: every step may be repeated.
 * A file that cannot be deleted stays on the list and does not stand before the others.
 *
 * @param sinceDays how far back unused images are looked for
 */
export async function tidyAttachments(
  { db, files, log }: Pick<Parts, 'db' | 'files' | 'log'>,
  sinceDays: number,
): Promise<void> {
  await deleteUnused(db, sinceDays)
  for (let after = ''; ; ) {
    const names = await filesToDelete(db, after, FILES_AT_ONCE)
    for (const name of names) {
      try {
        await files.remove(fileName(name))
        await fileDeleted(db, name)
      } catch (error) {
        log.warn({ fault: faultOf(error) }, 'a file could not be deleted; it is tried again')
      }
    }
    after = names.at(-1) ?? after
    if (names.length < FILES_AT_ONCE) return
  }
}

/** Tidies now and every minute, until stopped. */
export function startJanitor(parts: Pick<Parts, 'db' | 'files' | 'log'>): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  let sinceDays = EVER_DAYS
  const tidy = () => {
    running ??= tidyAttachments(parts, sinceDays)
      .then(() => {
        sinceDays = LOOK_BACK_DAYS
      })
      .catch((error: unknown) =>
        parts.log.warn({ fault: faultOf(error) }, 'tidying attachments failed; it is tried again'),
      )
      .finally(() => {
        running = undefined
      })
  }
  tidy()
  const timer = setInterval(tidy, EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
