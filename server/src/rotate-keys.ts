import { ConfigError, readConfig } from './config.ts'
import { EmbeddedError } from './db/embedded.ts'
import { FolderInUse } from './db/folder-lock.ts'
import { MigrationError, migrate } from './db/migrate.ts'
import { openDatabaseBeside } from './db/open.ts'
import { readKeys } from './keys.ts'
import { KeyError } from './sealing/key-check.ts'
import { rotateKeys } from './sealing/rotate.ts'
import { makeKeys } from './sealing/seal.ts'

// npm run rotate-keys: wraps everything that is sealed with the current MASTER_KEY. Works beside a running server.

try {
  if (process.argv.length > 2) throw new ConfigError('usage: npm run rotate-keys (it takes its keys from the settings)')
  const config = readConfig(process.env)
  const { masterKey } = readKeys(config, { mayMake: false })
  const database = await openDatabaseBeside(config)
  try {
    await migrate(database.db)
    const keys = makeKeys(masterKey, config.MASTER_KEYS_OLD)
    const whole = await rotateKeys(database.db, keys, (line) => process.stdout.write(`${line}\n`))
    if (!whole) process.exitCode = 1
  } finally {
    await database.close()
  }
} catch (error) {
  const expected = [ConfigError, EmbeddedError, FolderInUse, KeyError, MigrationError]
  const known = error instanceof Error && expected.some((kind) => error instanceof kind)
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
}
