import { parseArgs } from 'node:util'
import { isEmail, normalizeEmail } from '#contract/addresses.ts'
import { resetFactors, resetPassword, signOutByEmail, signOutEverybody } from '../auth/account-commands.ts'
import { grantAdmin, revokeAdmin } from '../auth/admin-role.ts'
import { listAdminEmails } from '../auth/user-queries.ts'
import { type Config, loadConfig } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { hasEncryptedData, openKeyring } from '../encryption/verify-keys.ts'
import { loadMasterKeys } from '../secrets.ts'
import { type Command, UsageError } from './command.ts'
import { decideCase, decideSanction, decideVehicle } from './decisions.ts'
import { withCurrentDatabase } from './with-database.ts'

/** A line to print; `failed` also sets the exit code. */
type ActionResult = { text: string; failed?: true }

const done = (text: string): ActionResult => ({ text })
const failed = (text: string): ActionResult => ({ text, failed: true })
const unknown = (email: string) => failed(`No account has the address ${email}.`)

type ActionInput = { config: Config; db: Pool; email: string; words: string[] }

/** Opens the keys: a suspension belongs to the keyed hash of a mailbox. */
async function openActionContext(config: Config, db: Pool) {
  const keys = loadMasterKeys(config, { allowCreate: !(await hasEncryptedData(db)) })
  return { db, keyring: await openKeyring(db, keys) }
}

const toResult = (refused: string | null): ActionResult => (refused === null ? done('It is decided.') : failed(refused))

type Decide<D> = (
  context: Awaited<ReturnType<typeof openActionContext>>,
  decision: D,
  email: string,
  words: string[],
) => Promise<string | null>

const deciding =
  <D>(decide: Decide<D>, decision: D) =>
  async ({ config, db, email, words }: ActionInput): Promise<ActionResult> =>
    toResult(await decide(await openActionContext(config, db), decision, email, words))

/** The actions on one account. */
const ACCOUNT_ACTIONS: Record<string, (input: ActionInput) => Promise<ActionResult>> = {
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
        return failed(`${email} is the last admin. Make somebody else an admin first.`)
    }
  },
  suspend: deciding(decideSanction, 'suspend'),
  lift: deciding(decideSanction, 'lift'),
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
  approve: deciding(decideVehicle, 'approve'),
  reject: deciding(decideVehicle, 'reject'),
  delete: deciding(decideVehicle, 'delete'),
  async 'sign-out'({ db, email }) {
    return (await signOutByEmail(db, email))
      ? done(`${email} is signed out everywhere, and no link works any more.`)
      : unknown(email)
  },
}

/** The actions on no account. */
const OTHER_ACTIONS: Record<string, (input: Omit<ActionInput, 'email'>) => Promise<ActionResult>> = {
  decide: async ({ config, db, words }) => toResult(await decideCase(await openActionContext(config, db), words)),
  list: async ({ db }) => done((await listAdminEmails(db)).join('\n') || 'There is no admin yet.'),
  'sign-out-everybody': async ({ db }) =>
    done(`${await signOutEverybody(db)} sessions have ended, and no link works any more.`),
}

export const command: Command = {
  help: `Usage: platenote admin <action> [<email>] [<reason>]

What an admin does on the screens, for whoever has the server and can reach no screen; and making the first admin, who has no
other way. Works while a server is running. The audit log has it.

  grant <email>              makes a confirmed account an admin
  revoke <email>             takes the right back, but not from the last admin
  suspend <email> [reason]   suspends every account of the mailbox until it is lifted; the person reads the reason
  lift <email>               lifts the suspension
  reset-factors <email>      removes a lost second factor; signs the account out everywhere and tells its person by email
  reset-password <email>     voids a password that somebody else knows; the same
  sign-out <email>           ends every session of an account, and voids its links
  sign-out-everybody         the same for all accounts, after a leak
  approve <email> <plate>    makes a vehicle the one of its plate; with /<province> after the plate where there are several
  reject <email> <plate> <reason>, delete <email> <plate>
  decide <id> <decision> <reason>
                             decides a report (dismiss, warn, limit, suspend, delete_message) or an appeal (keep, lift), by the id in
                             the address of its page; these four are for cases of which every admin is a side
  list                       prints the addresses of the admins

Exit codes: 0 done; 1 refused, with a line that says why, or failed.

Example: platenote admin grant you@example.com
`,
  async run(args) {
    const act = parseAction(args)
    const config = loadConfig(process.env)
    await withCurrentDatabase(config, async (db) => {
      const result = await act({ config, db })
      process.stdout.write(`${result.text}\n`)
      if (result.failed) process.exitCode = 1
    })
  },
}

/** Returns what the arguments ask for, to be done on a database. Throws a `UsageError` where they make no sense. */
export function parseAction(args: string[]): (where: Pick<ActionInput, 'config' | 'db'>) => Promise<ActionResult> {
  const [action = '', emailArgument, ...words] = parseArgs({ args, allowPositionals: true }).positionals
  const email = normalizeEmail(emailArgument ?? '')
  const runOnAccount = Object.hasOwn(ACCOUNT_ACTIONS, action) ? ACCOUNT_ACTIONS[action] : undefined
  const runOnNone = Object.hasOwn(OTHER_ACTIONS, action) ? OTHER_ACTIONS[action] : undefined
  if (!runOnAccount && !runOnNone)
    throw new UsageError(
      `the action is one of ${[...Object.keys(ACCOUNT_ACTIONS), ...Object.keys(OTHER_ACTIONS)].join(', ')}`,
    )
  if (runOnAccount && !isEmail(email)) throw new UsageError(`${action} takes an email address`)
  const hasMore = ['suspend', 'approve', 'reject', 'delete', 'decide'].includes(action)
  if (!hasMore && (words.length > 0 || (runOnNone && emailArgument !== undefined)))
    throw new UsageError(`there is too much after ${action}`)
  return (where) =>
    runOnAccount
      ? runOnAccount({ ...where, email, words })
      : runOnNone!({ ...where, words: [emailArgument ?? '', ...words] })
}
