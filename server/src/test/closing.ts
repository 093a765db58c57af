import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** How to close what the tests of this process have opened. */
const opened: (() => unknown)[] = []

after(async () => {
  // the last one first: it may use what was there before
  for (const close of opened.toReversed()) await close()
})

/** Closes something when all tests of this process are over. */
export const closeAtEnd = (close: () => unknown): void => void opened.push(close)

/** Makes a folder, and removes it when all tests of this process are over. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(folder, 0o711) // as root, the account PostgreSQL runs as must pass through
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
