import { faultOf } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import { fileName } from './image-url.ts'
import { deleteUnused, fileDeleted, filesToDelete } from './queries.ts'

const EVERY_MS = 60_000
const FILES_AT_ONCE = 200

/** Removes images nobody used and the files of deleted ones. Safe in several processes at once: every step may be repeated. */
export async function tidyAttachments({ db, files }: Pick<Parts, 'db' | 'files'>): Promise<void> {
  await deleteUnused(db)
  for (;;) {
    const names = await filesToDelete(db, FILES_AT_ONCE)
    for (const name of names) {
      await files.remove(fileName(name))
      await fileDeleted(db, name)
    }
    if (names.length < FILES_AT_ONCE) return
  }
}

/** Tidies now and every minute, until stopped. */
export function startJanitor(parts: Pick<Parts, 'db' | 'files' | 'log'>): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  const tidy = () => {
    running ??= tidyAttachments(parts)
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
