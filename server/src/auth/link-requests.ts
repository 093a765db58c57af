import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { describeError } from '../log/safe-error.ts'
import { changePreferences } from '../preferences/queries.ts'
import { withTimeout } from '../time.ts'
import { getDefaultRedirect, queueLinkMail } from './link-mail.ts'
import { type LinkPurpose, listSignUpIds } from './link-queries.ts'
import { findPersonOfMailbox } from './mailbox.ts'
import { findOrCreateUser, lockUserByEmail, type UserRow } from './user-queries.ts'

/** A call for a link, as it came: whether the address has an account has not been looked up yet. */
export type QueuedLinkRequest = {
  id: string
  email: string
  call: 'otp' | 'resend' | 'recover'
  /** Whether an address without an account gets one. */
  create_user: boolean
  /** One of our pages; null: the page for the link's purpose in this language. */
  redirect_to: string | null
  locale: Locale
}

const enqueueLinkRequest = async (db: Db, request: QueuedLinkRequest): Promise<void> => {
  await db`insert into auth.link_request_queue ${db(request)}`
}

/** Lists the ids of queued requests, oldest first. */
const listQueuedLinkRequestIds = async (db: Db): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`select id from auth.link_request_queue order by id`
  return rows.map((row) => row.id)
}

/**
 * Takes a request from the queue; undefined when another process has it, or had it. It is back if the transaction
 * fails.
 */
const dequeueLinkRequest = async (db: Db, id: string): Promise<QueuedLinkRequest | undefined> => {
  const [request] = await db<QueuedLinkRequest[]>`
    delete from auth.link_request_queue
    where id = (select id from auth.link_request_queue where id = ${id} for update skip locked)
    returning id, email, call, create_user, redirect_to, locale`
  return request
}

/** Decides which link an account gets for a call, by the sign-ups that wait for theirs; null for none. */
const choosePurpose = (
  { call, create_user }: QueuedLinkRequest,
  { email_confirmed_at }: UserRow,
  signUpIds: string[],
): LinkPurpose | null => {
  if (call === 'recover') return 'recovery'
  if (email_confirmed_at === null && signUpIds.length > 0) return 'signup'
  return call === 'otp' && (email_confirmed_at !== null || create_user) ? 'magiclink' : null
}

/** Long enough that the work for one address does not slow down the next responses, which could be timed. */
const PROCESS_DELAY_MS = 100
const RETRY_DELAY_MS = 5_000
/** A database that does not respond must not delay a shutdown: the next process handles what is left. */
const STOP_TIMEOUT_MS = 2_000

export type LinkRequestQueue = {
  /** Stores a request; once this resolves it will be processed, even if the process ends now. */
  enqueue(request: Omit<QueuedLinkRequest, 'id'>): Promise<void>
  /** Processes what is queued and stops, within two seconds. */
  stop(): Promise<void>
}

/**
 * Creates the queue of requests for a link. An address gets one if it has an account, or the call makes one, and the call has a link for it.
 * Queuing is one insert, whatever the address: neither the response nor its time, not even under load, reveals whether
 * there is an account. Requests are processed soon after; what one process leaves behind, another one processes.
 */
export function createLinkRequestQueue({
  config,
  db,
  keyring,
  log,
  outbox,
}: Pick<AppContext, 'config' | 'db' | 'keyring' | 'log' | 'outbox'>): LinkRequestQueue {
  let timer: NodeJS.Timeout | undefined
  let processing: Promise<void> = Promise.resolve()
  let stopped = false

  /** Makes an account without a password, which the code or the link confirms. */
  const findOrCreate = async (tx: Db, email: string, locale: Locale): Promise<UserRow> => {
    const personHash = await findPersonOfMailbox(tx, hashPerson(keyring, email))
    const user = await findOrCreateUser(tx, newId(), email, personHash)
    if (user.email_confirmed_at === null) await changePreferences(tx, user.id, { locale })
    return user
  }

  const processRequest = async (tx: Db, request: QueuedLinkRequest) => {
    const { email, create_user, redirect_to, locale } = request
    const user = create_user ? await findOrCreate(tx, email, locale) : await lockUserByEmail(tx, email)
    if (!user) return
    const signUpIds = await listSignUpIds(tx, user.id)
    const purpose = choosePurpose(request, user, signUpIds)
    if (!purpose) return
    // with several sign-ups it is unknown whose link is requested
    const signUpId = purpose === 'signup' && signUpIds.length === 1 ? signUpIds[0]! : null
    await queueLinkMail(tx, user.id, purpose, signUpId, redirect_to ?? getDefaultRedirect(purpose, locale, config))
  }

  /** Processes each request in its own transaction: one that fails is retried later and delays no other. */
  const processAll = async () => {
    let retryAfterMs: number | undefined
    const onFailure = (error: unknown) => {
      log.warn({ error: describeError(error) }, 'a link request could not be processed; it is tried again')
      retryAfterMs = RETRY_DELAY_MS
      return []
    }
    for (const id of await listQueuedLinkRequestIds(db).catch(onFailure)) {
      const processed = inTransaction(db, async (tx) => {
        const request = await dequeueLinkRequest(tx, id)
        if (request) await processRequest(tx, request)
      })
      await processed.then(() => outbox.wake(), onFailure)
    }
    if (retryAfterMs !== undefined) schedule(retryAfterMs)
  }

  const schedule = (afterMs: number) => {
    if (stopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      processing = processing.then(processAll)
    }, afterMs).unref() // after a start that failed half-way nothing calls stop()
  }

  schedule(PROCESS_DELAY_MS) // for what an earlier process left behind
  return {
    async enqueue(request) {
      await enqueueLinkRequest(db, { id: newId(), ...request })
      schedule(PROCESS_DELAY_MS)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      processing = processing.then(processAll)
      await withTimeout(processing, STOP_TIMEOUT_MS).catch(() => {})
    },
  }
}
