import { ConfigError, loadConfig } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { countFailures, getMailFigures } from '../email/failed-mails.ts'
import { retryFailedMails, retryWaitingMails } from '../health/retry-mails.ts'
import { runCli, withCurrentDatabase } from './run.ts'

// npm run mails -- status|retry|send-now: what /admin/health shows of the emails, and its two buttons, for operators with the
// server but no admin account; retry-restored sends what waited when a restored backup was made. Works while a server is running,
// whose worker sends them within a second.

const USAGE = 'usage: npm run mails -- status | retry | retry-restored | send-now'

/** The worker of the running server reads the queue by itself. */
const NO_WORKER = { wake() {} }

const COMMANDS: Record<string, (db: Pool) => Promise<string>> = {
  async status(db) {
    const { waiting, failed, oldest_at } = await getMailFigures(db)
    const reasons = await countFailures(db)
    return [
      `Waiting: ${waiting}; the oldest that is due, since: ${oldest_at ?? 'none is due'}.`,
      `Failed: ${failed}.`,
      ...reasons.map(({ kind, reason, count }) => `  ${count} × ${kind}: ${reason}`),
    ].join('\n')
  },
  retry: async (db) => `${await retryFailedMails({ db, outbox: NO_WORKER }, null)} failed emails are sent again.`,
  'retry-restored': async (db) =>
    `${await retryFailedMails({ db, outbox: NO_WORKER }, null, 'restored')} emails that waited when a restored backup was made are sent.`,
  'send-now': async (db) => `${await retryWaitingMails({ db, outbox: NO_WORKER }, null)} waiting emails are sent now.`,
}

await runCli(async () => {
  const [command = '', ...more] = process.argv.slice(2)
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (!run || more.length > 0) throw new ConfigError(USAGE)
  await withCurrentDatabase(loadConfig(process.env), async (db) => {
    process.stdout.write(`${await run(db)}\n`)
  })
})
