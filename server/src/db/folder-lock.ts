import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeDataFolder } from './data-folder.ts'
import { EmbeddedError } from './embedded-error.ts'

/** Another process works in the folder. `pid` is its process id when it left one. */
export class FolderInUse extends Error {
  override name = 'FolderInUse'
  readonly dir: string
  readonly pid: number | undefined

  constructor(dir: string, pid: number | undefined) {
    const holder = pid ? `process ${pid}` : 'another process'
    super(`${dir} is in use by ${holder}; stop it, or set DATA_DIR to another folder.`)
    this.dir = dir
    this.pid = pid
  }
}

/** `SQLITE_BUSY`: somebody else holds the lock. */
const BUSY = 5

// A lock lives as long as its database is open; one nobody refers to would be closed by the garbage collector.
const held = new Set<DatabaseSync>()

/**
 * Takes the folder for this process alone until `release()` or death: the lock is the operating system's, taken on the
 * file `lock` through SQLite, so kill -9 frees it and nothing stale can stay. (Nobody else may open that file in this
 * process: on POSIX closing any handle to it would drop the lock.)
 * @throws FolderInUse when another holder is alive; EmbeddedError when the folder cannot be written
 */
export function lockFolder(dir: string): { release(): void } {
  const folder = makeDataFolder(dir)
  const holder = join(folder, 'lock.pid')
  const lock = open(folder)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === BUSY) throw new FolderInUse(folder, pidIn(holder))
    throw unwritable(folder)
  }
  held.add(lock)
  writeFileSync(holder, String(process.pid))
  return {
    release() {
      if (!held.delete(lock)) return
      rmSync(holder, { force: true })
      lock.close()
    },
  }
}

function open(folder: string): DatabaseSync {
  try {
    return new DatabaseSync(join(folder, 'lock'))
  } catch {
    throw unwritable(folder)
  }
}

const unwritable = (folder: string) =>
  new EmbeddedError(
    `${folder} is not writable; give this account the right to write there or set DATA_DIR to a folder it owns.`,
  )

function pidIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}
