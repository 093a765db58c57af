import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { hasEncryptedData, openKeyring, verifyKeysBeforeStart } from '../encryption/verify-keys.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { createLogger } from '../log/logger.ts'
import { loadSecrets } from '../secrets.ts'
import { seedDatabase, signInInstructions } from '../seed/fill-database.ts'
import { runCli, withDatabase } from './run.ts'

// npm run seed: fills an empty database with people, plates and messages. Works while a server is running.

await runCli(async () => {
  const config = loadConfig(process.env)
  await withDatabase(
    config,
    async (db) => {
      const { masterKey, jwtSecret } = loadSecrets(config, { allowCreate: !(await hasEncryptedData(db)) })
      const keys = createMasterKeys(masterKey, config.MASTER_KEYS_OLD)
      await verifyKeysBeforeStart(db, keys)
      const files = await openFileStore(config)
      await migrate(db) // the command may be run before the first start of the server
      const keyring = await openKeyring(db, keys)
      await seedDatabase({ config, db, keyring, files, log: createLogger(config.LOG_LEVEL), jwtSecrets: [jwtSecret] })
      process.stdout.write(signInInstructions(config))
    },
    { mayCreate: true },
  )
})
