import { isEmail, normalizeEmail } from '#contract/auth.ts'
import { admins, grantAdmin, revokeAdmin } from './auth/admin-right.ts'
import { ConfigError, readConfig } from './config.ts'
import { EmbeddedError } from './db/embedded.ts'
import { FolderInUse } from './db/folder-lock.ts'
import { migrate } from './db/migrate.ts'
import { openDatabaseBeside } from './db/open.ts'
import type { Pool } from './db/pool.ts'

// npm run admin -- grant|revoke you@example.com, or list. Works beside a running server.

const USAGE = 'usage: npm run admin -- grant <email> | revoke <email> | list'

/** What to print; `failed` also sets the exit code. */
type Said = { text: string; failed?: true }

async function perform(db: Pool, command: string | undefined, typed: string | undefined): Promise<Said> {
  const email = normalizeEmail(typed ?? '')
  switch (command) {
    case 'list':
      return { text: (await admins(db)).join('\n') || 'There is no admin yet.' }
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

const [command, typed, ...more] = process.argv.slice(2)
const complete = command === 'list' ? typed === undefined : isEmail(normalizeEmail(typed ?? ''))

try {
  if (!['list', 'grant', 'revoke'].includes(command ?? '') || !complete || more.length > 0) throw new ConfigError(USAGE)
  const database = await openDatabaseBeside(readConfig(process.env))
  try {
    await migrate(database.db) // also before the first start of the server
    const { text, failed } = await perform(database.db, command, typed)
    process.stdout.write(`${text}\n`)
    if (failed) process.exitCode = 1
  } finally {
    await database.close()
  }
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof EmbeddedError || error instanceof FolderInUse
  process.stderr.write(`${expected ? error.message : (error as Error).stack}\n`)
  process.exitCode = 1
}
