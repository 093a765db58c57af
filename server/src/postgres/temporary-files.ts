import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemErrorCode } from './embedded-error.ts'

/** Returns a temporary name beside `path` for work that gets its final name once it is complete. */
export const temporaryName = (path: string) => `${path}.new-${process.pid}-${randomBytes(4).toString('hex')}`

/** Removes what interrupted starts left in a folder. */
export async function removeStaleTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const creator = /\.new-(\d+)-/.exec(name)?.[1]
    if (!creator || !isProcessGone(Number(creator))) continue
    // an orphaned initdb may still be writing there; then the next start removes it
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Returns whether the process has ended. In a container every run may have the same id, so this process's own id is an earlier run's. */
function isProcessGone(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return systemErrorCode(error) === 'ESRCH'
  }
}
