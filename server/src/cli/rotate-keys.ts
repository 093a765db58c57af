import { ConfigError, loadConfig } from '../config.ts'
import { MigrationError, migrate } from '../db/migrate.ts'
import { openDatabaseForCommand } from '../db/open-database.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { rotateKeys } from '../encryption/rotate-keys.ts'
import { MasterKeyError } from '../encryption/verify-keys.ts'
import { EmbeddedError } from '../postgres/embedded-server.ts'
import { FolderInUseError } from '../postgres/lockfile.ts'
import { loadSecrets } from '../secrets.ts'

// npm run rotate-keys: wraps everything that is sealed with the current MASTER_KEY. Works beside a running server.

try {
  if (process.argv.length > 2) throw new ConfigError('usage: npm run rotate-keys (it takes its keys from the settings)')
  const config = loadConfig(process.env)
  const { masterKey } = loadSecrets(config, { mayMake: false })
  const database = await openDatabaseForCommand(config)
  try {
    await migrate(database.db)
    const keys = createMasterKeys(masterKey, config.MASTER_KEYS_OLD)
    const whole = await rotateKeys(database.db, keys, (line) => process.stdout.write(`${line}\n`))
    if (!whole) process.exitCode = 1
  } finally {
    await database.close()
  }
} catch (error) {
  const expected = [ConfigError, EmbeddedError, FolderInUseError, MasterKeyError, MigrationError]
  const known = error instanceof Error && expected.some((kind) => error instanceof kind)
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
}
