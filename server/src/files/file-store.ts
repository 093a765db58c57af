/** Where attachment files lie: local disk or an S3 bucket. Names are ours and safe; contents are sealed. */
export type FileStore = {
  /** Writes a file whole or not at all. */
  put(name: string, bytes: Buffer): Promise<void>
  /** The file's bytes, or null when there is none. */
  get(name: string): Promise<Buffer | null>
  /** Removes a file; none is fine. */
  remove(name: string): Promise<void>
}
