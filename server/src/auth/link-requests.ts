import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { describeError } from '../log/safe-error.ts'
import { changePreferences } from '../preferences/queries.ts'
import { withTimeout } from '../time.ts'
import { getDefaultRedirect, queueLinkMail } from './link-mail.ts'
import { findSignUps, type LinkPurpose, type SignUpRow } from './link-queries.ts'
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

/** Decides which link an account gets for a call, by the sign-ups that wait for theirs; null for none. */
const choosePurpose = (
  { call, create_user }: QueuedLinkRequest,
  { email_confirmed_at }: UserRow,
  signUps: SignUpRow[],
): LinkPurpose | null => {
  if (call === 'recover') return 'recovery'
  if (email_confirmed_at === null && signUps.length > 0) return 'signup'
  return call === 'otp' && (email_confirmed_at !== null || create_user) ? 'magiclink' : null
}

type QueueContext = Pick<AppContext, 'config' | 'db' | 'keyring' | 'log' | 'outbox'>

/** Makes an account without a password, which the code or the link confirms. */
async function findOrCreate(keyring: Keyring, tx: Db, email: string): Promise<UserRow> {
  const personHash = await findPersonOfMailbox(tx, hashPerson(keyring, email))
  return findOrCreateUser(tx, newId(), email, personHash)
}

/** Takes a request from the queue, unless another process has it, and queues its email, if there is one. */
async function processRequest({ config, keyring }: QueueContext, tx: Db, id: string): Promise<void> {
  const [request] = await tx<QueuedLinkRequest[]>`
    delete from auth.link_request_queue
    where id = (select id from auth.link_request_queue where id = ${id} for update skip locked)
    returning id, email, call, create_user, redirect_to, locale`
  if (!request) return
  const { email, call, create_user, redirect_to, locale } = request
  const user = create_user ? await findOrCreate(keyring, tx, email) : await lockUserByEmail(tx, email)
  if (!user) return
  // who asks need not be who signed up; a sign-up's email that is sent again stays in its language
  if (user.email_confirmed_at === null && call !== 'resend') await changePreferences(tx, user.id, { locale })
  const signUps = await findSignUps(tx, user.id)
  const purpose = choosePurpose(request, user, signUps)
  if (!purpose) return
  // with several sign-ups it is unknown whose link is requested
  const signUp = purpose === 'signup' && signUps.length === 1 ? signUps[0] : undefined
  await queueLinkMail(
    tx,
    user.id,
    purpose,
    signUp?.id ?? null,
    redirect_to ?? getDefaultRedirect(purpose, locale, config),
  )
}

/** Long enough that the work for one address does not slow down the next responses, which could be timed. */
const PROCESS_DELAY_MS = 100
const RETRY_DELAY_MS = 5_000
/** A database that does not respond must not delay a shutdown: the next process handles what is left. */
const STOP_TIMEOUT_MS = 2_000

export type LinkRequestQueue = ReturnType<typeof createLinkRequestQueue>

/**
 * Creates the queue of requests for a link. An address gets one if it has an account, or the call makes one, and the call has a link for it.
 * Queuing is one insert, whatever the address: neither the response nor its time, not even under load, reveals whether
 * there is an account. Requests are processed soon after; what one process leaves behind, another one processes.
 */
export function createLinkRequestQueue(context: QueueContext) {
  const { db, log, outbox } = context
  let timer: NodeJS.Timeout | undefined
  let processing: Promise<void> = Promise.resolve()
  let stopped = false

  /** Processes each request in its own transaction: one that fails is retried later and delays no other. */
  const processAll = async () => {
    const onFailure = (error: unknown) => {
      log.warn({ error: describeError(error) }, 'a link request could not be processed; it is tried again')
      schedule(RETRY_DELAY_MS)
      return []
    }
    for (const { id } of await db<{ id: string }[]>`select id from auth.link_request_queue order by id`.catch(
      onFailure,
    )) {
      await inTransaction(db, (tx) => processRequest(context, tx, id)).then(() => outbox.wake(), onFailure)
    }
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
    /** Stores a request; once this resolves it will be processed, even if the process ends now. */
    async enqueue(request: Omit<QueuedLinkRequest, 'id'>) {
      await db`insert into auth.link_request_queue ${db({ id: newId(), ...request })}`
      schedule(PROCESS_DELAY_MS)
    },
    /** Processes what is queued and stops, within two seconds. */
    async stop() {
      stopped = true
      clearTimeout(timer)
      processing = processing.then(processAll)
      await withTimeout(processing, STOP_TIMEOUT_MS).catch(() => {})
    },
  }
}
