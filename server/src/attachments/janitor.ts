import { faultOf } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import { MINUTE_MS, type Repeated, repeat } from '../repeat.ts'
import { fileName } from './image-url.ts'
import { deleteUnused, fileDeleted, filesToDelete } from './queries.ts'

const FILES_AT_ONCE = 200
/** After the first look, which goes back to the beginning. */
const LOOK_BACK_DAYS = 2
const EVER_DAYS = 36_500

type Store = Pick<Parts, 'db' | 'files' | 'log'>

/**
 * Removes images nobody used and the files of deleted ones. Safe in several processes at once: every step may be repeated.
 *
 * @param sinceDays how far back unused images are looked for
 */
export async function tidyAttachments(parts: Store, sinceDays: number): Promise<void> {
  await deleteUnused(parts.db, sinceDays)
  await removeDeletedFiles(parts)
}

/** A file that cannot be deleted stays on the list and does not stand before the others. */
async function removeDeletedFiles({ db, files, log }: Store): Promise<void> {
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

/** Removes the files of deleted images now, not within a minute; what fails is left to the next round. */
export const removeDeletedFilesSoon = (parts: Store): void =>
  void removeDeletedFiles(parts).catch((error: unknown) =>
    parts.log.warn({ fault: faultOf(error) }, 'files of deleted images are left to the next round'),
  )

/** Tidies now and every minute, until stopped. */
export function startJanitor(parts: Store): Repeated {
  let sinceDays = EVER_DAYS
  return repeat(parts.log, 'tidying attachments', MINUTE_MS, async () => {
    await tidyAttachments(parts, sinceDays)
    sinceDays = LOOK_BACK_DAYS
  })
}
