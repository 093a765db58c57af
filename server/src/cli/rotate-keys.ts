import { ConfigError, loadConfig } from '../config.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { rotateKeys } from '../encryption/rotate-keys.ts'
import { loadSecrets } from '../secrets.ts'
import { runCli, withCurrentDatabase } from './run.ts'

// npm run rotate-keys: wraps every data key with the current MASTER_KEY. Works while a server is running.

await runCli(async () => {
  if (process.argv.length > 2) throw new ConfigError('usage: npm run rotate-keys (it takes its keys from the settings)')
  const config = loadConfig(process.env)
  const { masterKey } = loadSecrets(config, { allowCreate: false })
  await withCurrentDatabase(config, async (db) => {
    const keys = createMasterKeys(masterKey, config.MASTER_KEYS_OLD)
    const complete = await rotateKeys(db, keys, (line) => process.stdout.write(`${line}\n`))
    if (!complete) process.exitCode = 1
  })
})
