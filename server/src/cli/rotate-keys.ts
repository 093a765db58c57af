import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { rotateKeys } from '../encryption/rotate-keys.ts'
import { loadSecrets } from '../secrets.ts'
import type { Command } from './command.ts'
import { withCurrentDatabase } from './with-database.ts'

export const command: Command = {
  help: `Usage: platenote rotate-keys

Wraps every data key with MASTER_KEY, so that the keys of MASTER_KEYS_OLD are not needed any more; it says which of them may
go. Texts and photos are not touched. Works while servers are running, which must know both keys, and may be interrupted
and run again.

Exit codes: 0 every key is wrapped with MASTER_KEY; 1 it failed, or there are values that no key opens, which are named.

Example: MASTER_KEY=<new key> MASTER_KEYS_OLD=<old key> platenote rotate-keys
`,
  async run(args) {
    parseArgs({ args })
    const config = loadConfig(process.env)
    const { masterKey } = loadSecrets(config, { allowCreate: false })
    await withCurrentDatabase(config, async (db) => {
      const keys = createMasterKeys(masterKey, config.MASTER_KEYS_OLD)
      const complete = await rotateKeys(db, keys, (line) => process.stdout.write(`${line}\n`))
      if (!complete) process.exitCode = 1
    })
  },
}
