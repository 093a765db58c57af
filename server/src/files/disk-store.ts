import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HOUR_MS } from '../time.ts'
import { assertSafeFileName, type FileStore } from './file-store.ts'

const DRAFTS_FOLDER = '.drafts'

const hasErrorCode = (error: unknown, ...codes: string[]) => codes.includes((error as NodeJS.ErrnoException).code ?? '')

/** Makes the entries of a folder survive a power cut. Windows cannot open folders and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes what a crash in the middle of a write left behind; drafts of the last hour may be another process's. */
async function removeStaleDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const found = await stat(file).catch(() => null) // another process may have just finished its write
    if (found && Date.now() - found.mtimeMs > HOUR_MS) await rm(file, { force: true })
  }
}

/**
 * Opens a store of files under a folder, spread over two levels by the first characters of their names: `ab/cd/abcd….webp`. A
 * file is written as a draft, synced and renamed, so that it is complete or absent, even after a power cut.
 */
export async function openDiskStore(root: string): Promise<FileStore> {
  const drafts = join(root, DRAFTS_FOLDER)
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  await removeStaleDrafts(drafts)

  const pathOf = (name: string) => join(root, assertSafeFileName(name).slice(0, 2), name.slice(2, 4), name)

  return {
    async put(name, bytes) {
      const path = pathOf(name)
      const draft = join(drafts, randomBytes(16).toString('hex'))
      try {
        await writeFile(draft, bytes, { mode: 0o600, flag: 'wx', flush: true })
        const folder = dirname(path)
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await rename(draft, path)
        // the folders may be new as well, created by this write or a concurrent one
        for (const changed of [folder, dirname(folder), root]) await syncFolder(changed)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    async get(name) {
      try {
        return await readFile(pathOf(name))
      } catch (error) {
        if (hasErrorCode(error, 'ENOENT')) return null
        throw error
      }
    },
    async remove(name) {
      await rm(pathOf(name), { force: true })
    },
  }
}
