import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locale } from '#contract/product.ts'
import { loadConfig } from '../config.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { MailRenderers, RenderMail } from '../email/mail-content.ts'
import { type MailKind, queueMail } from '../email/outbox.ts'
import { openTransport, type Transport } from '../email/transport.ts'
import { startMailWorker } from '../email/worker.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { openFileStore } from '../files/open-file-store.ts'
import type { LeaseWorker } from '../jobs/lease-worker.ts'
import { openLiveHub } from '../live/live-hub.ts'
import { createLogger } from '../log/logger.ts'
import { MAIL_RENDERERS } from '../mail-renderers.ts'
import { createTestDatabase, openTestPool } from './database.ts'
import { eventually } from './eventually.ts'

export type OutboxRow = {
  id: string
  attempts: number
  lease_token: string | null
  sent_at: string | null
  failed_at: string | null
  last_error: string | null
}

export const isSent = (row: OutboxRow): boolean => row.sent_at !== null
export const isFailed = (row: OutboxRow): boolean => row.failed_at !== null

/** Writes any kind of email from its row, in the recipient's language. */
export const renderTestMail: RenderMail = async (_, { locale, refId, data }) => ({
  subject: data['subject'] ?? { en: 'A note for you', 'fr-CA': 'Un mot pour vous' }[locale],
  preheader: 'Preheader',
  heading: { en: 'Your lights are on', 'fr-CA': 'Vos phares sont allumés' }[locale],
  blocks: [data['text'] ?? refId, { button: 'Open', to: 'https://platenote.test/dashboard' }],
  reason: 'Because this is a test.',
})

/** Uses one renderer for every kind of email to a user. */
export const renderersWith = (render: RenderMail): MailRenderers => ({
  ...(Object.fromEntries(Object.keys(MAIL_RENDERERS).map((kind) => [kind, render])) as Record<MailKind, RenderMail>),
  contact: MAIL_RENDERERS.contact,
  email_change_new: MAIL_RENDERERS.email_change_new,
  email_changed: MAIL_RENDERERS.email_changed,
})

/** Creates everything a worker needs, on an existing database. */
export async function createMailContext(databaseUrl: string, dataDir: string): Promise<Omit<AppContext, 'outbox'>> {
  const config = loadConfig({ DATA_DIR: dataDir, PUBLIC_URL: 'https://platenote.test' })
  const db = openTestPool(databaseUrl, 8)
  const log = createLogger('silent')
  return {
    config,
    log,
    db,
    keyring: { ...createMasterKeys(randomBytes(32).toString('base64'), []), hashKey: createSecretKey(randomBytes(32)) },
    jwtSecrets: [randomBytes(32).toString('base64')],
    files: await openFileStore(config),
    live: await openLiveHub(db, log, newId()),
  }
}

/** Creates an outbox with users in a new database, and any number of workers on it, without the rest of the server. */
export async function createMailHarness() {
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-mail-'))
  const database = await createTestDatabase()
  const context = await createMailContext(database.url, dataDir)
  const { config, db, live } = context
  const workers: LeaseWorker[] = []
  const transports: Transport[] = []

  const transport = (smtpUrl: string | undefined, options: { timeoutMs?: number } = {}) => {
    const opened = openTransport({ ...config, SMTP_URL: smtpUrl }, db, options)
    transports.push(opened)
    return opened
  }

  const row = async (id: string): Promise<OutboxRow | undefined> => {
    const [found] = await db<OutboxRow[]>`
      select id, attempts, lease_token, sent_at, failed_at, last_error from outbox where id = ${id}`
    return found
  }

  return {
    db,
    config,
    /** For functions that take a whole context; its outbox wakes no worker. */
    context: { ...context, outbox: { wake() {} } },
    dataDir,
    url: database.url,
    connection: database.connection,
    transport,
    /** Starts a worker that sends to this address; retries come after 50 ms, 100 ms … */
    worker: (
      smtpUrl: string | undefined,
      { render = renderTestMail, timeoutMs = 60_000, retryBaseMs = 50, now = () => new Date() } = {},
    ) => {
      const worker = startMailWorker(context, renderersWith(render), transport(smtpUrl, { timeoutMs }), {
        retryBaseMs,
        now,
      })
      workers.push(worker)
      return worker
    },
    person: async (locale: Locale = 'en', email = `person-${randomUUID()}@example.com`) => {
      const id = newId()
      await db`insert into auth.users (id, email, person_hash, email_confirmed_at)
        values (${id}, ${email}, sha256(${email}::text::bytea), now())`
      await db`insert into preferences (user_id, locale, email_message_text) values (${id}, ${locale}, true)`
      return { id, email }
    },
    /** Queues an email about nothing. Returns its id. */
    queue: async (
      recipientId: string,
      data: Record<string, string> = {},
      kind: MailKind = 'reply',
    ): Promise<string> => {
      const refId = newId()
      await queueMail(db, { kind, refId, recipientId, data })
      const [row] = await db<{ id: string }[]>`select id from outbox where ref_id = ${refId}`
      return row!.id
    },
    row,
    /** Waits until a row matches, and returns it. */
    rowWhen: (id: string, wanted: (row: OutboxRow) => boolean): Promise<OutboxRow> =>
      eventually(async () => {
        const found = await row(id)
        return found && wanted(found) ? found : undefined
      }),
    close: async () => {
      await Promise.all(workers.map((worker) => worker.stop()))
      await Promise.all(transports.map((opened) => opened.close()))
      await live.close()
      await db.end({ timeout: 5 })
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
