import { isEmail, normalizeEmail } from '#contract/addresses.ts'
import { resetPassword, signOutByEmail, signOutEverybody } from '../auth/account-commands.ts'
import { grantAdmin, revokeAdmin } from '../auth/admin-role.ts'
import { resetFactors } from '../auth/factors/reset-factors.ts'
import { listAdminEmails } from '../auth/user-queries.ts'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { hasEncryptedData, openKeyring } from '../encryption/verify-keys.ts'
import { liftSanctionsByEmail, suspendByEmail } from '../sanctions/account-commands.ts'
import { loadSecrets } from '../secrets.ts'
import { runCli, withCurrentDatabase } from './run.ts'

// npm run admin -- grant|revoke|suspend|lift|reset-factors|reset-password|sign-out you@example.com, sign-out-everybody, or list. Works while a server is running.
// suspend takes the reason too, which the person reads.

const USAGE =
  'usage: npm run admin -- grant <email> | revoke <email> | suspend <email> [reason] | lift <email> | reset-factors <email> | reset-password <email> | sign-out <email> | sign-out-everybody | list'

/** A line to print; `failed` also sets the exit code. */
type CommandResult = { text: string; failed?: true }

const done = (text: string): CommandResult => ({ text })
const failed = (text: string): CommandResult => ({ text, failed: true })
const unknown = (email: string) => failed(`No account has the address ${email}.`)
const lastAdmin = (email: string) => failed(`${email} is the last admin. Make somebody else an admin first.`)

type CommandInput = { config: Config; db: Pool; email: string; reason: string | null }

/** Opens the keys: a suspension belongs to the keyed hash of a mailbox. */
async function openCommandContext(config: Config, db: Pool) {
  const { masterKey } = loadSecrets(config, { allowCreate: !(await hasEncryptedData(db)) })
  const keys = createMasterKeys(masterKey, config.MASTER_KEYS_OLD)
  return { db, keyring: await openKeyring(db, keys) }
}

/** The commands about one account. */
const ACCOUNT_COMMANDS: Record<string, (input: CommandInput) => Promise<CommandResult>> = {
  async grant({ db, email }) {
    return (await grantAdmin(db, email))
      ? done(`${email} is an admin now.`)
      : failed(`No confirmed account has the address ${email}. Sign up and confirm it first.`)
  },
  async revoke({ db, email }) {
    switch (await revokeAdmin(db, email)) {
      case 'revoked':
        return done(`${email} is no admin any more.`)
      case 'not_an_admin':
        return failed(`${email} is not an admin.`)
      case 'last_admin':
        return lastAdmin(email)
    }
  },
  async suspend({ config, db, email, reason }) {
    switch (await suspendByEmail(await openCommandContext(config, db), email, reason)) {
      case 'suspended':
        return done(`${email} is suspended, and signed out everywhere. So is every account of the mailbox.`)
      case 'already_suspended':
        return failed(`${email} is suspended already.`)
      case 'unknown':
        return unknown(email)
      case 'last_admin_suspended':
        return lastAdmin(email)
    }
  },
  async lift({ config, db, email }) {
    switch (await liftSanctionsByEmail(await openCommandContext(config, db), email)) {
      case 'lifted':
        return done(`${email} is not suspended any more.`)
      case 'nothing_to_lift':
        return failed(`${email} is not suspended.`)
      case 'unknown':
        return unknown(email)
    }
  },
  async 'reset-factors'({ db, email }) {
    switch (await resetFactors(db, email)) {
      case 'reset':
        return done(`${email} has no second factor any more, and is signed out everywhere.`)
      case 'no_factor':
        return failed(`${email} has no second factor.`)
      case 'unknown':
        return unknown(email)
    }
  },
  async 'reset-password'({ db, email }) {
    switch (await resetPassword(db, email)) {
      case 'reset':
        return done(`The password of ${email} no longer works. Its person is signed out everywhere, and told by email.`)
      case 'no_password':
        return failed(`${email} has no password.`)
      case 'unknown':
        return unknown(email)
    }
  },
  async 'sign-out'({ db, email }) {
    return (await signOutByEmail(db, email))
      ? done(`${email} is signed out everywhere, and no link works any more.`)
      : unknown(email)
  },
}

/** The commands about no account. */
const OTHER_COMMANDS: Record<string, (db: Pool) => Promise<CommandResult>> = {
  list: async (db) => done((await listAdminEmails(db)).join('\n') || 'There is no admin yet.'),
  'sign-out-everybody': async (db) =>
    done(`${await signOutEverybody(db)} sessions have ended, and no link works any more.`),
}

await runCli(async () => {
  const [command = '', emailArgument, ...moreArguments] = process.argv.slice(2)
  const reason = command === 'suspend' ? moreArguments.join(' ').trim() || null : null
  const extraArguments = command === 'suspend' ? [] : moreArguments
  const email = normalizeEmail(emailArgument ?? '')
  const runOnAccount = Object.hasOwn(ACCOUNT_COMMANDS, command) ? ACCOUNT_COMMANDS[command] : undefined
  const run = Object.hasOwn(OTHER_COMMANDS, command) ? OTHER_COMMANDS[command] : undefined
  const isComplete = run ? emailArgument === undefined : runOnAccount !== undefined && isEmail(email)
  if (!isComplete || extraArguments.length > 0) throw new ConfigError(USAGE)
  const config = loadConfig(process.env)
  await withCurrentDatabase(config, async (db) => {
    const result = runOnAccount ? await runOnAccount({ config, db, email, reason }) : await run!(db)
    process.stdout.write(`${result.text}\n`)
    if (result.failed) process.exitCode = 1
  })
})
