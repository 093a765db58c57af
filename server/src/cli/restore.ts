import { parseArgs } from 'node:util'
import { describeMissing } from '../backup/manifest.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { ConfigError, loadConfig } from '../config.ts'
import { openDatabase } from '../db/open-database.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { loadSecrets } from '../secrets.ts'
import { explainingDatabase, runCli } from './run.ts'

// npm run restore -- <folder>: restores a backup into an empty database and store. All servers must be stopped.

const USAGE = 'usage: npm run restore -- [--force] [--take-over-store] [--deletions <folder>]… <folder>'
const print = (line: string) => process.stdout.write(`${line}\n`)

await runCli(async () => {
  const { folder, ...options } = readArguments()
  const config = loadConfig(process.env)
  const { masterKey } = loadSecrets(config, { allowCreate: false })
  const keys = createMasterKeys(masterKey, config.MASTER_KEYS_OLD)
  // unlike the other commands, never beside a server
  const { db, close } = await openDatabase(config)
  try {
    const files = await openFileStore(config)
    const warn = (line: string) => process.stderr.write(`WARNING: ${line}\n`)
    const restored = await explainingDatabase(config, () =>
      restoreBackup({ db, files, keys }, folder, { ...options, warn }),
    )
    const { manifest, sessions, deletions, mails, journalDays } = restored
    print(
      `Restored the backup of ${manifest.startedAt}: ${manifest.tables.length} tables, ${manifest.files.count} files.`,
    )
    process.stderr.write(describeMissing(manifest.files))
    print(
      `Ended ${sessions} sessions; people sign in again. ${mails} emails that were waiting then are not sent by themselves; npm run mails -- retry-restored sends those that are not about messages.`,
    )
    print(`Deleted ${deletions} things again that had been deleted since, by the journal of ${journalDays} days.`)
    if (journalDays === 0)
      print(
        'WARNING: no journal of deletions was found in the store. What was deleted since this backup is back, unless you name a copy of the old store with --deletions.',
      )
  } finally {
    await close()
  }
})

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        force: { type: 'boolean', default: false },
        'take-over-store': { type: 'boolean', default: false },
        deletions: { type: 'string', multiple: true, default: [] },
      },
      allowPositionals: true,
    })
    const [folder, ...more] = positionals
    if (!folder || more.length > 0) throw new ConfigError(USAGE)
    return {
      folder,
      force: values.force,
      journals: values.deletions,
      takeOverStore: values['take-over-store'],
    }
  } catch {
    throw new ConfigError(USAGE)
  }
}
