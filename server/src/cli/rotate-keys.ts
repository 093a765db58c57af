import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import { rotateKeys } from '../encryption/rotate-keys.ts'
import { loadMasterKeys } from '../secrets.ts'
import type { Command } from './command.ts'
import { withCurrentDatabase } from './with-database.ts'

export const command: Command = {
  help: `Usage: platenote rotate-keys

Encrypts everything with MASTER_KEY that another key encrypts, so that the keys of MASTER_KEYS_OLD are not needed any more;
it says which of them may go. Files are not touched: only their keys are encrypted anew. Works while servers are running, which must know both keys, and may be interrupted and run again.

Exit codes: 0 everything is encrypted with MASTER_KEY; 1 it failed, or there are values that no key opens, which are named.

Example: MASTER_KEY=<new key> MASTER_KEYS_OLD=<old key> platenote rotate-keys
`,
  async run(args) {
    parseArgs({ args })
    const config = loadConfig(process.env)
    const keys = loadMasterKeys(config, { allowCreate: false })
    await withCurrentDatabase(config, async (db) => {
      const complete = await rotateKeys(db, keys, (line) => process.stdout.write(`${line}\n`))
      if (!complete) process.exitCode = 1
    })
  },
}
