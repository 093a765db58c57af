import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import type { Command } from './command.ts'
import { withDatabase } from './with-database.ts'

export const command: Command = {
  help: `Usage: platenote migrate

Brings the database up to date, as every start of the server does. Works while a server is running. The database is the one of
DATABASE_URL, or the embedded one in DATA_DIR.

Exit codes: 0 it is up to date; 1 a migration failed, which is named: those before it stay, and the next run goes on from there.

Example: platenote migrate
`,
  async run(args) {
    parseArgs({ args })
    const onFailure = (line: string) => process.stderr.write(`${line}\n`)
    await withDatabase(loadConfig(process.env), (db) => migrate(db, { onFailure }), { mayCreate: true })
    process.stdout.write('The database is up to date.\n')
  },
}
