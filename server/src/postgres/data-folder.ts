import { chmodSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
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
