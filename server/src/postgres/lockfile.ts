import { chmodSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { toFolderError } from './embedded-error.ts'

/**
 * Creates a folder for data unless it exists; returns its path without links. Other accounts may pass through a folder root
 * creates, but not list it, whatever the umask: the account PostgreSQL runs as must reach its files.
 * @throws EmbeddedError when it cannot be created
 */
export function ensureDataFolder(folder: string): string {
  try {
    const first = mkdirSync(folder, { recursive: true })
    for (let created = resolve(folder); first && process.getuid?.() === 0; created = dirname(created)) {
      chmodSync(created, 0o711)
      if (created === first) break
    }
    return realpathSync(folder)
  } catch (error) {
    throw toFolderError(error, folder)
  }
}

/** Another process is using the folder. `pid` is its process id, if it is known. */
export class FolderInUseError extends Error {
  override name = 'FolderInUse'
  readonly isOperatorError = true
  readonly dir: string
  readonly pid: number | undefined

  constructor(dir: string, pid: number | undefined) {
    const holder = pid ? `process ${pid}` : 'another process'
    super(`${dir} is in use by ${holder}; stop it, or set DATA_DIR to another folder.`)
    this.dir = dir
    this.pid = pid
  }
}

/** `SQLITE_BUSY`: another process has the lock. */
const SQLITE_BUSY = 5

// A lock lasts as long as its database is open; the garbage collector would close one that nothing refers to.
const heldLocks = new Set<DatabaseSync>()

/**
 * Locks the folder for this process until `release()` or its death. The lock is the operating system's, taken on the file
 * `lock` through SQLite, so kill -9 frees it and no stale lock can remain. (Nothing else in this process may open that file: on
 * POSIX, closing any handle to it would release the lock.)
 * @throws FolderInUseError when another process has the lock; EmbeddedError when the folder cannot be written
 */
export function acquireFolderLock(dir: string): { release(): void } {
  const folder = ensureDataFolder(dir)
  const pidFile = join(folder, 'lock.pid')
  const lock = openLockDatabase(folder)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY)
      throw new FolderInUseError(folder, readPidFile(pidFile))
    throw unwritableError(folder)
  }
  heldLocks.add(lock)
  writeFileSync(pidFile, String(process.pid))
  return {
    release() {
      if (!heldLocks.delete(lock)) return
      rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

function openLockDatabase(folder: string): DatabaseSync {
  try {
    return new DatabaseSync(join(folder, 'lock'))
  } catch {
    throw unwritableError(folder)
  }
}

const unwritableError = (folder: string) => toFolderError({ code: 'EACCES' }, folder)

function readPidFile(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}
