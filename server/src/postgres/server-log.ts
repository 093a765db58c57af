import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemErrorCode, toFolderError } from './embedded-error.ts'

const MAX_LOG_BYTES = 1024 * 1024
const ROTATE_INTERVAL_MS = 60 * 60 * 1000

/**
 * Opens `dir/log`, the log of the server, and keeps it small: when it is opened and then every hour, a log of more than 1 MiB
 * is copied to `log.old` and emptied. The server keeps writing to the same file, always at its end.
 */
export function openServerLog(dir: string) {
  const file = join(dir, 'log')
  const fd = open(file, dir)
  const rotate = () => {
    if (fstatSync(fd).size <= MAX_LOG_BYTES) return
    try {
      copyFileSync(file, `${file}.old`)
    } catch (error) {
      if (systemErrorCode(error) === 'ENOSPC') return // a full disk: try the next time
      throw error
    }
    ftruncateSync(fd)
  }
  rotate()
  let closed = false
  const timer = setInterval(rotate, ROTATE_INTERVAL_MS).unref()
  return {
    fd,
    /** Returns the number of bytes written so far. */
    size: () => fstatSync(fd).size,
    /** Returns everything after the first `bytes` bytes. */
    since: (bytes: number) => readFileSync(file).subarray(bytes).toString('utf8'),
    close() {
      if (closed) return
      closed = true
      clearInterval(timer)
      closeSync(fd)
    },
  }
}

function open(file: string, dir: string): number {
  try {
    return openSync(file, 'a', 0o600)
  } catch (error) {
    throw toFolderError(error, dir)
  }
}

export type ServerLog = ReturnType<typeof openServerLog>
