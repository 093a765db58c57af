import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { countFailures, getMailFigures } from '../email/failed-mails.ts'
import { retryFailedMails, retryWaitingMails } from '../health/retry-mails.ts'
import { type Command, UsageError } from './command.ts'
import { withCurrentDatabase } from './with-database.ts'

/** The worker of the running server reads the queue by itself. */
const NO_WORKER = { wake() {} }

const ACTIONS: Record<string, (db: Pool) => Promise<string>> = {
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

export const command: Command = {
  help: `Usage: platenote mails <action>

What /admin/system shows of the emails, and its two buttons, for whoever has the server but no admin account. Works while a
server is running, whose worker sends them within a second. The audit log has it.

  status           how many emails wait, how many were given up, and why; names nobody
  retry            sends again what was given up
  retry-restored   sends what waited when a restored backup was made, but for what is about messages
  send-now         tries now what waits for its next try

Exit codes: 0 done; 1 failed.

Example: platenote mails status
`,
  async run(args) {
    const act = parseAction(args)
    await withCurrentDatabase(loadConfig(process.env), async (db) => {
      process.stdout.write(`${await act(db)}\n`)
    })
  },
}

/** Returns what the arguments ask for, which prints the result. Throws a `UsageError` where they make no sense. */
export function parseAction(args: string[]): (db: Pool) => Promise<string> {
  const [action, ...more] = parseArgs({ args, allowPositionals: true }).positionals
  if (action === undefined || !Object.hasOwn(ACTIONS, action))
    throw new UsageError(`the action is one of ${Object.keys(ACTIONS).join(', ')}`)
  if (more.length > 0) throw new UsageError(`nothing follows ${action}`)
  return ACTIONS[action]!
}
