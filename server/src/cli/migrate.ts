import { ConfigError, loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { runCli, withDatabase } from './run.ts'

// npm run db:migrate: brings the database up to date, as every start of the server does. Works while a server is running.

await runCli(async () => {
  if (process.argv.length > 2)
    throw new ConfigError('usage: npm run db:migrate (it takes its database from the settings)')
  const onFailure = (line: string) => process.stderr.write(`${line}\n`)
  await withDatabase(loadConfig(process.env), (db) => migrate(db, { onFailure }), { mayCreate: true })
  process.stdout.write('The database is up to date.\n')
})
