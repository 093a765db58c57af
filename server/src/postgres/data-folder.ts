import { chmodSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { toFolderError } from './embedded-error.ts'

/**
 * Makes a folder for data unless it exists; returns its path without links. What root makes, others may pass through but
 * not list, whatever the umask says: the account PostgreSQL runs as must get to its files.
 * @throws EmbeddedError when it cannot be made
 */
export function ensureDataFolder(folder: string): string {
  try {
    const first = mkdirSync(folder, { recursive: true })
    for (let made = resolve(folder); first && process.getuid?.() === 0; made = dirname(made)) {
      chmodSync(made, 0o711)
      if (made === first) break
    }
    return realpathSync(folder)
  } catch (error) {
    throw toFolderError(error, folder)
  }
}
