import { parseArgs } from 'node:util'
import { createKeyFile, readIdentity } from '../backup/age.ts'
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
       platenote backup --verify [--identity <file>] <folder>
       platenote backup --new-key <file>

Writes a backup of the database and the photos into a new folder, while servers go on, encrypted to BACKUP_RECIPIENTS if that is
set. The keys are not in it: keep MASTER_KEY and MASTER_KEYS_OLD somewhere else.

  --verify            checks instead that a backup is whole and unchanged, and that these keys open it; asks no database
  --identity=<file>   reads the content of an encrypted backup too, with the secret key in the file; - is the standard input
  --new-key=<file>    makes a pair of keys instead: writes the secret one to a new file, and prints the public one

Exit codes: 0 done; 1 there is no backup, or it is not whole; 3 the backup was made without files that the store had lost,
which are named.

Example: platenote backup /backups/2026-11-23 && platenote backup --verify /backups/2026-11-23
`,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      options: {
        verify: { type: 'boolean', default: false },
        identity: { type: 'string' },
        'new-key': { type: 'string' },
      },
      allowPositionals: true,
    })
    const { verify, identity, 'new-key': keyFile } = values
    const [folder, ...more] = positionals
    if (keyFile !== undefined) {
      if (folder !== undefined || verify || identity !== undefined) throw new UsageError('--new-key takes a file alone')
      await makeKey(keyFile)
      return
    }
    if (!folder || more.length > 0) throw new UsageError('it takes one folder')
    if (identity !== undefined && !verify) throw new UsageError('--identity goes with --verify')
    const config = loadConfig(process.env)
    if (verify) await verifyAndPrint(config, folder, identity)
    else await withDatabase(config, (db) => backUp(config, db, folder))
  },
}

async function makeKey(file: string) {
  print(await createKeyFile(file))
  print(
    `Set BACKUP_RECIPIENTS to this line, and keep ${file} in two places that are neither this server nor where the backups are: without it none can be opened.`,
  )
}

async function verifyAndPrint(config: Config, folder: string, identityFile: string | undefined) {
  const identity = identityFile === undefined ? undefined : readIdentity(identityFile)
  const backup = await verifyBackup(folder, () => loadMasterKeys(config, { allowCreate: false }), identity)
  if (!backup.manifest) {
    print(
      `The backup is whole and unchanged: ${backup.count} files. It is encrypted, and its content was not read: --identity=<file> opens it.`,
    )
    return
  }
  const { tables, files, startedAt } = backup.manifest
  print(`The backup of ${startedAt} is whole: ${tables.length} tables, ${files.count} files, and these keys open it.`)
  process.stderr.write(describeMissing(files))
}

async function backUp(config: Config, db: Pool, folder: string) {
  const recipients = config.BACKUP_RECIPIENTS
  // an older schema stays as it is: this backup may be the way back from an upgrade
  const end = await beginOperation(db, BACKUP_RUN, recipients.length > 0)
  const record = (ok: boolean, detail: string | null) => end(ok, detail).catch(() => {})
  try {
    const files = await openFileStore(config)
    const manifest = await makeBackup({ db, files, version: readVersion(), recipients }, folder)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const megabytes = (manifest.files.bytes / BYTES_PER_MB).toFixed(1)
    const { missing = [], count } = manifest.files
    const isOtherStore = missing.length > 0 && count === 0
    // one that lacks some counts as made: a file that is lost for good must not hide that a later backup fails
    await record(!isOtherStore, missing.length > 0 ? `the store had lost ${missing.length} files` : null)
    print(
      `Backed up ${rows} rows of ${manifest.tables.length} tables and ${manifest.files.count} files (${megabytes} MB).`,
    )
    if (recipients.length > 0)
      print(`It is encrypted: each secret key of the ${recipients.length} BACKUP_RECIPIENTS opens it.`)
    process.stderr.write(describeMissing(manifest.files))
    if (isOtherStore) process.stderr.write('Not one was there: check STORAGE_URL and DATA_DIR.\n')
    if (missing.length > 0) process.exitCode = FILES_MISSING
    print('The keys are not in it: keep MASTER_KEY and MASTER_KEYS_OLD somewhere else.')
  } catch (error) {
    await record(false, 'the backup failed')
    throw error
  }
}
