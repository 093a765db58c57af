import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { hasEncryptedData, openKeyring, verifyKeysBeforeStart } from '../encryption/verify-keys.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { createLogger } from '../log/logger.ts'
import { loadJwtSecret, loadMasterKeys } from '../secrets.ts'
import { seedDatabase, signInInstructions } from '../seed/fill-database.ts'
import type { Command } from './command.ts'
import { withDatabase } from './with-database.ts'

export const command: Command = {
  help: `Usage: platenote seed

Fills an empty database with made-up people, plates and messages, to try PlateNote with, and says how to log in as one of
them. Sends no email. Works while a server is running. Refuses where there are people already, and in production, because
everybody knows the passwords.

Exit codes: 0 filled; 1 refused or failed: nothing was stored.

Example: platenote seed
`,
  async run(args) {
    parseArgs({ args })
    const config = loadConfig(process.env)
    await withDatabase(
      config,
      async (db) => {
        const keys = loadMasterKeys(config, { allowCreate: !(await hasEncryptedData(db)) })
        const jwtSecret = loadJwtSecret(config, { allowCreate: true })
        await verifyKeysBeforeStart(db, keys)
        const files = await openFileStore(config)
        await migrate(db) // the command may be run before the first start of the server
        const keyring = await openKeyring(db, keys)
        await seedDatabase({ config, db, keyring, files, log: createLogger(config.LOG_LEVEL), jwtSecrets: [jwtSecret] })
        process.stdout.write(signInInstructions(config))
      },
      { mayCreate: true },
    )
  },
}
