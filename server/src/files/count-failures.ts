import type { FileStore } from './file-store.ts'

/** A store that tells how often it has failed. */
export type CountedStore = FileStore & {
  /** Returns how many calls failed since the store was opened. A file that is not there is no failure. */
  countFailed(): number
}

/** Returns the store, with its failures counted for the metrics. */
export function countFailures(files: FileStore): CountedStore {
  let failed = 0
  const count = (error: unknown): never => {
    failed++
    throw error
  }
  return {
    put: (name, bytes) => files.put(name, bytes).catch(count),
    get: (name) => files.get(name).catch(count),
    remove: (name) => files.remove(name).catch(count),
    countFailed: () => failed,
  }
}
