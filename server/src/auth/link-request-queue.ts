import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { describeError } from '../http/errors.ts'
import { queueLinkMail } from './link-mail.ts'
import {
  dequeueLinkRequest,
  enqueueLinkRequest,
  findSignUp,
  listQueuedLinkRequestIds,
  type QueuedLinkRequest,
} from './link-queries.ts'
import { getDefaultRedirect, type LinkPurpose } from './redirects.ts'
import { lockUserByEmail, type UserRow } from './user-queries.ts'

/** Which link an account gets for a call, or null for none. */
const PURPOSE_BY_CALL: Record<QueuedLinkRequest['call'], (user: UserRow) => LinkPurpose | null> = {
  otp: (user) => (user.email_confirmed_at ? 'magiclink' : 'signup'),
  resend: (user) => (user.email_confirmed_at ? null : 'signup'),
  recover: () => 'recovery',
}

/** Long enough that the work for one address does not slow the very next answers, which could be timed. */
const PROCESS_DELAY_MS = 100
const RETRY_DELAY_MS = 5_000
/** A database that does not answer must not hold up a stop: what is left is granted by the next process. */
const STOP_TIMEOUT_MS = 2_000

export type LinkRequestQueue = {
  /** Stores a wish; when this resolves it will be granted, also if the process ends now. */
  enqueue(request: Omit<QueuedLinkRequest, 'id'>): Promise<void>
  /** Grants what waits and ends, within two seconds. */
  stop(): Promise<void>
}

/**
 * Sends an address a link, if it has an account and the call has one for it; silent either way. To ask is one insert,
 * whatever the address: neither the answer nor its time, not even under load, tells whether there is an account. Wishes
 * are granted soon after; what a process leaves behind another one grants, or the next.
 */
export function createLinkRequestQueue({
  config,
  db,
  log,
  outbox,
}: Pick<AppContext, 'config' | 'db' | 'log' | 'outbox'>): LinkRequestQueue {
  let timer: NodeJS.Timeout | undefined
  let processing: Promise<void> = Promise.resolve()
  let stopped = false

  const processRequest = async (tx: Db, { email, call, redirect_to, locale }: QueuedLinkRequest) => {
    const user = await lockUserByEmail(tx, email)
    const purpose = user && PURPOSE_BY_CALL[call](user)
    if (!user || !purpose) return
    const signUpId = purpose === 'signup' ? (await findSignUp(tx, user.id))?.id : null
    if (signUpId === undefined) return
    await queueLinkMail(tx, user.id, purpose, signUpId, redirect_to ?? getDefaultRedirect(purpose, locale, config))
  }

  /** Each in a transaction of its own: one that fails waits for its next turn and holds up no other. */
  const processAll = async () => {
    let retryAfterMs: number | undefined
    const onFailure = (error: unknown) => {
      log.warn({ fault: describeError(error) }, 'a link was not granted; it is tried again')
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
    }, afterMs).unref() // a start that failed half-way has nobody to stop this
  }

  schedule(PROCESS_DELAY_MS) // what the process before left
  return {
    async enqueue(request) {
      await enqueueLinkRequest(db, { id: newId(), ...request })
      schedule(PROCESS_DELAY_MS)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      processing = processing.then(processAll)
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref())
      await Promise.race([processing, timeout])
    },
  }
}
