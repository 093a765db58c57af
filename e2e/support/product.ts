import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import webPush from 'web-push'
import { openPool } from '../../server/src/db/pool.ts'
import { createTestDatabase } from '../../server/src/test/database.ts'
import { findFreePort } from '../../server/src/test/free-port.ts'
import { startProduct as startServerProcess } from '../../server/src/test/product.ts'
import { startSmtpInbox } from '../../server/src/test/smtp-inbox.ts'

const ROOT = join(import.meta.dirname, '../..')
/** SMTP's reply code for it. */
const SMTP_NO_SUCH_MAILBOX = 550

const START_TIMEOUT_MS = 30_000

/** pino's number of the level `error`. */
const ERROR_LEVEL = 50

export type Product = Awaited<ReturnType<typeof startProduct>>

/** What the tests of single features need otherwise than it is by default: many people, all of them on this machine. */
const RELAXED = {
  LIMIT_SCALE: '1000',
  MAX_CONNECTIONS_PER_ADDRESS: '20000',
  // the tests of the admin pages sign in with a password; e2e/specification requires more
  ADMIN_SECOND_FACTOR: 'optional',
}

/**
 * Starts the product as it is installed: its own process in production mode, a database and a folder of its own, the built
 * web app, and mails that leave over SMTP into an inbox in this process.
 *
 * @param settings what is not as by default: the limits, unless something else is named
 */
export async function startProduct(settings: Record<string, string> = RELAXED) {
  const database = await createTestDatabase()
  const db = openPool(database.connection, 2)
  const rejectedRecipients = new Set<string>()
  const inbox = await startSmtpInbox({
    recipient: (address) => (rejectedRecipients.has(address) ? SMTP_NO_SUCH_MAILBOX : undefined),
  })
  const folder = mkdtempSync(join(tmpdir(), 'platenote-e2e-'))
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const vapid = webPush.generateVAPIDKeys()
  const secret = () => randomBytes(32).toString('base64')
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    SMTP_URL: inbox.url,
    MASTER_KEY: secret(),
    JWT_SECRET: secret(),
    MAIL_FROM: 'PlateNote <notes@platenote.ca>',
    SUPPORT_EMAIL: 'support@platenote.ca',
    MAIL_SENDER_NAME: 'PlateNote Inc.',
    MAIL_POSTAL_ADDRESS: '1 Main Street, Toronto ON  M5V 1A1',
    PRIVACY_OFFICER: 'Jeanne Côté',
    VAPID_PRIVATE_KEY: vapid.privateKey,
    PUSH_HOSTS: 'localhost:1', // where nothing listens: no test leaves this machine
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const launch = (installation?: string) =>
    startServerProcess(env, { cwd: ROOT, installation, startTimeoutMs: START_TIMEOUT_MS })
  const processes = [await launch()]
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => (await processes.at(-1)!.stop(signal))[0]
  const drainLog = () => processes.map(({ takeErr }) => takeErr()).join('')
  return {
    url,
    env,
    inbox,
    /** The product's database, for states no screen and no call leads to. */
    db,
    /** Makes the mail server reject this address from now on. */
    rejectMailTo: (address: string) => void rejectedRecipients.add(address),
    /** @param installation the folder of another release */
    async start(installation?: string) {
      processes.push(await launch(installation))
    },
    /** Ends the server as a power cut does: nothing is finished, no client is notified. */
    kill: () => end('SIGKILL'),
    /** Returns the lines of the log since the last call that are at level error or above, or no log at all. */
    drainErrorLog(): string[] {
      return drainLog()
        .split('\n')
        .filter(Boolean)
        .filter((line) => !line.startsWith('{') || (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL)
    },
    async stop() {
      const code = await end('SIGTERM')
      await inbox.close()
      await db.end()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
      if (code !== 0) throw new Error(`the product ended with ${code} after SIGTERM:\n${drainLog()}`)
    },
  }
}
