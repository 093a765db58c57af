import { isEmail, normalizeEmail } from '#contract/auth.ts'
import { grantAdmin, revokeAdmin } from '../auth/admin-role.ts'
import { listAdminEmails } from '../auth/user-queries.ts'
import { ConfigError, loadConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import type { Pool } from '../db/pool.ts'
import { runCli, withDatabase } from './run.ts'

// npm run admin -- grant|revoke you@example.com, or list. Works while a server is running.

const USAGE = 'usage: npm run admin -- grant <email> | revoke <email> | list'

/** A line to print; `failed` also sets the exit code. */
type CommandResult = { text: string; failed?: true }

async function runCommand(
  db: Pool,
  command: string | undefined,
  emailArgument: string | undefined,
): Promise<CommandResult> {
  const email = normalizeEmail(emailArgument ?? '')
  switch (command) {
    case 'list':
      return { text: (await listAdminEmails(db)).join('\n') || 'There is no admin yet.' }
    case 'grant':
      return (await grantAdmin(db, email))
        ? { text: `${email} is an admin now.` }
        : { text: `No confirmed account has the address ${email}. Sign up and confirm it first.`, failed: true }
    case 'revoke':
      switch (await revokeAdmin(db, email)) {
        case 'revoked':
          return { text: `${email} is no admin any more.` }
        case 'not_an_admin':
          return { text: `${email} is not an admin.`, failed: true }
        case 'last_admin':
          return { text: `${email} is the last admin. Make somebody else an admin first.`, failed: true }
      }
  }
  return { text: USAGE, failed: true }
}

await runCli(async () => {
  const [command, emailArgument, ...extraArguments] = process.argv.slice(2)
  const hasValidArguments =
    command === 'list' ? emailArgument === undefined : isEmail(normalizeEmail(emailArgument ?? ''))
  if (!['list', 'grant', 'revoke'].includes(command ?? '') || !hasValidArguments || extraArguments.length > 0)
    throw new ConfigError(USAGE)
  await withDatabase(loadConfig(process.env), async (db) => {
    await migrate(db) // the command may be run before the first start of the server
    const { text, failed } = await runCommand(db, command, emailArgument)
    process.stdout.write(`${text}\n`)
    if (failed) process.exitCode = 1
  })
})
