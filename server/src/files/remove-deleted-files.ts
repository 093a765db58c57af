import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'

const FILES_PER_BATCH = 200

/** The list of files whose rows are deleted, and what is done with each. */
export type DeletedFiles = {
  /** Returns the next names after one, in their order. */
  list(after: string, limit: number): Promise<string[]>
  remove(name: string): Promise<void>
  /** Takes a name whose file is gone off the list. */
  forget(name: string): Promise<unknown>
}

/**
 * Removes files that are on a list. One that cannot be removed stays on it and does not block the others. Ends early when it is
 * aborted; the next run goes on.
 */
export async function removeDeletedFiles(
  log: Logger,
  { list, remove, forget }: DeletedFiles,
  stopping?: AbortSignal,
): Promise<void> {
  for (let after = ''; ; ) {
    const names = await list(after, FILES_PER_BATCH)
    for (const name of names) {
      if (stopping?.aborted) return
      try {
        await remove(name)
        await forget(name)
      } catch (error) {
        log.warn({ error: describeError(error) }, 'a file could not be deleted; it is tried again')
      }
    }
    after = names.at(-1) ?? after
    if (names.length < FILES_PER_BATCH) return
  }
}
