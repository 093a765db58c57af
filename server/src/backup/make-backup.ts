import { mkdirSync, readdirSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConnectionError } from '../db/connection.ts'
import { findPending, readAppliedMigrations } from '../db/current-schema.ts'
import type { Db, Pool } from '../db/pool.ts'
import type { FileStore } from '../files/file-store.ts'
import { isOperatorError } from '../log/operator-error.ts'
import { filePath, LIST_DRAFT, MANIFESTS, openForWriting, tablePath } from './backup-files.ts'
import { listTables } from './catalog.ts'
import { BackupError, type Manifest } from './manifest.ts'
import { explainingErrors, isFileNamed, listStoredFiles } from './stored-files.ts'
import { writeTable } from './table-files.ts'

/** So many photos are on their way at a time: one is read and encrypted while the disk takes another. */
const FILES_AT_A_TIME = 2

type Source = { db: Pool; files: FileStore; version: string; recipients?: string[] }

/**
 * Writes a backup into an empty folder, while servers run: the database as it is at one moment, then the files that its rows
 * name, and last the manifest (decision backup-and-restore). Files stay encrypted; no key is in it. The schema may be older than this
 * version. With recipients nothing readable touches the disk. Files that the store has lost are named in the manifest, and cost nothing else (decision backup-and-restore). One that fails
 * leaves nothing behind.
 *
 * @throws BackupError, MigrationError with one line that says what is wrong
 */
export async function makeBackup(source: Source, folder: string): Promise<Manifest> {
  let undo = async () => {}
  const prepare = () => {
    undo = prepareFolder(folder)
  }
  try {
    return await writeBackup({ ...source, files: explainingErrors(source.files) }, folder, prepare)
  } catch (error) {
    // the folder serves another try then; what cannot be deleted says less than the error
    await undo().catch(() => {})
    // only files here are written without a word about it
    const { code, syscall } = error as NodeJS.ErrnoException
    if (isOperatorError(error) || error instanceof ConnectionError || !syscall) throw error
    throw new BackupError(`${folder} cannot be written (${code}). Give it space and rights, or name another folder.`)
  }
}

async function writeBackup({ db, files, version, recipients = [] }: Source, folder: string, prepare: () => void) {
  const output = openForWriting(folder, recipients)
  const startedAt = new Date().toISOString()
  const names: string[] = []
  const content = await db.begin('isolation level repeatable read, read only', async (tx) => {
    await tx.setStatementTimeout(0)
    await tx`set local idle_in_transaction_session_timeout = 0`
    const migrations = await listMigrations(tx)
    prepare()
    const keys = await tx<{ key_id: string }[]>`select key_id from encryption_keys order by key_id`
    const tables: Manifest['tables'] = []
    for (const table of await listTables(tx)) {
      const { name, columns } = table
      const rows = await writeTable(tx, table, (content) => output.write(tablePath(name), content))
      tables.push({ name, columns, rows })
    }
    for await (const name of listStoredFiles(tx)) names.push(name)
    return { migrations, keyIds: keys.map(({ key_id }) => key_id), tables }
  })

  let [count, bytes] = [0, 0]
  const missing: string[] = []
  const remaining = (function* () {
    yield* names
  })()
  async function copyFiles() {
    // a loop that ends with an error ends what it shares with the others
    for (const name of remaining) {
      const found = await files.get(name)
      if (found) {
        await output.write(filePath(name), [found])
        count++
        bytes += found.length
        // one that was deleted meanwhile is absent after a restore too; anything else is a loss
      } else if (await isFileNamed(db, name)) missing.push(name)
    }
  }
  // none writes any more when the folder is taken back
  const ends = await Promise.allSettled(Array.from({ length: FILES_AT_A_TIME }, copyFiles))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  const finishedAt = new Date().toISOString()
  const summary = { count, bytes, ...(missing.length > 0 && { missing: missing.sort() }) }
  return output.finish({ format: 2, version, startedAt, finishedAt, ...content, files: summary })
}

async function listMigrations(tx: Db): Promise<Manifest['migrations']> {
  const migrations = await readAppliedMigrations(tx)
  if (migrations.length === 0)
    throw new BackupError('The database is empty: there is nothing to back up. Check DATABASE_URL and DATA_DIR.')
  findPending(migrations) // refuses what is not ours
  return migrations
}

const PARTS = ['database', 'files', LIST_DRAFT, ...MANIFESTS]

/** Makes a folder ready for a backup. Returns what takes away everything that the backup has written. */
function prepareFolder(folder: string): () => Promise<void> {
  try {
    const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
    const found = readdirSync(folder)
    if (found.length > 0 && found.every((name) => PARTS.includes(name)))
      throw new BackupError(
        `${folder} has a backup that did not come to its end, or that still runs. Delete this folder unless one runs, or name another.`,
      )
    if (found.length > 0) throw new BackupError(`${folder} is not empty. Name a new folder for each backup.`)
    mkdirSync(join(folder, 'database'), { mode: 0o700 })
    mkdirSync(join(folder, 'files'), { mode: 0o700 })
    return async () => {
      for (const name of PARTS) await rm(join(folder, name), { recursive: true, force: true })
      if (isNew) await rmdir(folder)
    }
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`)
  }
}
