import { parseArgs } from 'node:util'
import { readIdentity } from '../backup/age.ts'
import { describeMissing } from '../backup/manifest.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { loadConfig } from '../config.ts'
import { openDatabase } from '../db/open-database.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { loadMasterKeys } from '../secrets.ts'
import { type Command, UsageError } from './command.ts'
import { explainingDatabase } from './with-database.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

export const command: Command = {
  help: `Usage: platenote restore [--force] [--take-over-store] [--deletions=<folder>]… [--identity=<file>] <folder>

Restores a backup into an empty database and an empty store of photos. Every server must be stopped. Sessions end, and what
was deleted after the backup was made is deleted again, by the journal of deletions in the store.

  --force                  replaces the database although it has data
  --take-over-store        keeps the photos that the store has, where only the database was lost
  --deletions=<folder>     reads the journal of deletions in a copy of the old store too; may be repeated
  --identity=<file>        opens an encrypted backup with the secret key in the file; - is the standard input

Exit codes: 0 restored; 1 refused or failed.

Example: platenote restore --take-over-store /backups/2026-11-23
`,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      options: {
        force: { type: 'boolean', default: false },
        'take-over-store': { type: 'boolean', default: false },
        identity: { type: 'string' },
        deletions: { type: 'string', multiple: true, default: [] },
      },
      allowPositionals: true,
    })
    const { force, 'take-over-store': takeOverStore, deletions: journals } = values
    const [folder, ...more] = positionals
    if (!folder || more.length > 0) throw new UsageError('it takes one folder')
    const config = loadConfig(process.env)
    const identity = values.identity === undefined ? undefined : readIdentity(values.identity)
    const keys = loadMasterKeys(config, { allowCreate: false })
    // unlike the other commands, never beside a server
    const { db, close } = await openDatabase(config)
    try {
      const files = await openFileStore(config)
      const warn = (line: string) => process.stderr.write(`WARNING: ${line}\n`)
      const restored = await explainingDatabase(config, () =>
        restoreBackup({ db, files, keys }, folder, { force, takeOverStore, journals, identity, warn }),
      )
      const { manifest, sessions, deletions, mails, journalDays } = restored
      print(
        `Restored the backup of ${manifest.startedAt}: ${manifest.tables.length} tables, ${manifest.files.count} files.`,
      )
      process.stderr.write(describeMissing(manifest.files))
      print(
        `Ended ${sessions} sessions; people sign in again. ${mails} emails that were waiting then are not sent by themselves; platenote mails retry-restored sends those that are not about messages.`,
      )
      print(`Deleted ${deletions} things again that had been deleted since, by the journal of ${journalDays} days.`)
      if (journalDays === 0)
        print(
          'WARNING: no journal of deletions was found in the store. What was deleted since this backup is back, unless you name a copy of the old store with --deletions.',
        )
    } finally {
      await close()
    }
  },
}
