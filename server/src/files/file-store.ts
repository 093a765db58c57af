/**
 * A store of files: local disk or an S3 bucket. It has photos and the documents of disputes, which are encrypted, and the journal
 * of deletions, which is not: tables and the ids of their rows. Names are generated here and safe.
 */
export type FileStore = {
  /** Writes a file completely or not at all. */
  put(name: string, bytes: Buffer): Promise<void>
  /** Returns the file's bytes, or null when there is no such file. */
  get(name: string): Promise<Buffer | null>
  /** Removes a file, if it exists. */
  remove(name: string): Promise<void>
}

/** Letters, digits, hyphens and underscores, with one extension: nothing that could leave a folder. */
const SAFE_NAME = /^[\w-]{8,128}(\.[a-z0-9]{1,8})?$/

/** Returns the name itself. Names are generated here, so any other one is a bug and throws. */
export function assertSafeFileName(name: string): string {
  if (!SAFE_NAME.test(name)) throw new Error('not a name of a stored file')
  return name
}
