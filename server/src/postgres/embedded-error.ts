/** The embedded PostgreSQL cannot run. The message is one line and says what to do about it. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
  /** See `log/operator-error.ts`, which nothing here can import: this folder works on its own. */
  readonly isOperatorError = true
}

/** Returns the `code` of a system error (`ENOENT`, `EACCES` …), or undefined. */
export const systemErrorCode = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code

/** Turns a missing permission, a read-only or a full disk into a line that names the folder; returns any other error unchanged. */
export function toFolderError(error: unknown, dir: string): unknown {
  const code = systemErrorCode(error)
  if (code === 'ENOSPC')
    return new EmbeddedError(`The disk of ${dir} is full; free some space or set DATA_DIR to a folder elsewhere.`)
  if (code === 'ENOTDIR' || code === 'EEXIST') return new EmbeddedError(`${dir} is not a folder; set DATA_DIR to one.`)
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return error
  return new EmbeddedError(
    `${dir} is not writable; give this account the right to write there or set DATA_DIR to a folder it owns.`,
  )
}
