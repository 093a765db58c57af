import { parseArgs } from 'node:util'
import { makeBackup } from '../backup/make-backup.ts'
import { describeMissing } from '../backup/manifest.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import { type Config, loadConfig, readVersion } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { BACKUP_RUN, beginOperation } from '../jobs/run-record.ts'
import { loadMasterKeys } from '../secrets.ts'
import { type Command, UsageError } from './command.ts'
import { withDatabase } from './with-database.ts'

const BYTES_PER_MB = 1e6
/** The exit code when the backup was made and the store had lost files; 1 is that there is none. */
const FILES_MISSING = 3

const print = (line: string) => process.stdout.write(`${line}\n`)

export const command: Command = {
  help: `Usage: platenote backup <new folder>
       platenote backup --verify <folder>

Writes a backup of the database and the photos into a new folder, while servers go on. The keys are not in it: keep MASTER_KEY
and MASTER_KEYS_OLD somewhere else.

  --verify   checks instead that a backup is whole and unchanged, and that these keys open it; asks no database

Exit codes: 0 done; 1 there is no backup, or it is not whole; 3 the backup was made without files that the store had lost,
which are named.

Example: platenote backup /backups/2026-11-23 && platenote backup --verify /backups/2026-11-23
`,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      options: { verify: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [folder, ...more] = positionals
    if (!folder || more.length > 0) throw new UsageError('it takes one folder')
    const config = loadConfig(process.env)
    if (!values.verify) {
      await withDatabase(config, (db) => backUp(config, db, folder))
      return
    }
    const { tables, files, startedAt } = await verifyBackup(folder, loadMasterKeys(config, { allowCreate: false }))
    print(`The backup of ${startedAt} is whole: ${tables.length} tables, ${files.count} files, and these keys open it.`)
    process.stderr.write(describeMissing(files))
  },
}

async function backUp(config: Config, db: Pool, folder: string) {
  // an older schema stays as it is: this backup may be the way back from an upgrade
  const end = await beginOperation(db, BACKUP_RUN)
  const record = (ok: boolean, detail: string | null) => end(ok, detail).catch(() => {})
  try {
    const files = await openFileStore(config)
    const manifest = await makeBackup({ db, files, version: readVersion() }, folder)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const megabytes = (manifest.files.bytes / BYTES_PER_MB).toFixed(1)
    const { missing = [], count } = manifest.files
    const isOtherStore = missing.length > 0 && count === 0
    // one that lacks some counts as made: a file that is lost for good must not hide that a later backup fails
    await record(!isOtherStore, missing.length > 0 ? `the store had lost ${missing.length} files` : null)
    print(
      `Backed up ${rows} rows of ${manifest.tables.length} tables and ${manifest.files.count} files (${megabytes} MB).`,
    )
    process.stderr.write(describeMissing(manifest.files))
    if (isOtherStore) process.stderr.write('Not one was there: check STORAGE_URL and DATA_DIR.\n')
    if (missing.length > 0) process.exitCode = FILES_MISSING
    print('The keys are not in it: keep MASTER_KEY and MASTER_KEYS_OLD somewhere else.')
  } catch (error) {
    await record(false, 'the backup failed')
    throw error
  }
}
