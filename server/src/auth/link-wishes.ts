import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { faultOf } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import { findSignUp, insertLinkWish, type LinkWish, takeLinkWish, waitingLinkWishes } from './link-queries.ts'
import { lockUserByEmail, type UserRow } from './queries.ts'
import { queueLink } from './queue-link.ts'
import { homeOf, type LinkPurpose } from './redirects.ts'

/** Which link an account gets for a call, or null for none. */
const CHOICES: Record<LinkWish['call'], (user: UserRow) => LinkPurpose | null> = {
  otp: (user) => (user.email_confirmed_at ? 'magiclink' : 'signup'),
  resend: (user) => (user.email_confirmed_at ? null : 'signup'),
  recover: () => 'recovery',
}

/** Long enough that the work for one address does not slow the very next answers, which could be timed. */
const GRANT_AFTER_MS = 100
const AGAIN_AFTER_MS = 5_000
/** A database that does not answer must not hold up a stop: what is left is granted by the next process. */
const STOP_WITHIN_MS = 2_000

export type LinkWishes = {
  /** Stores a wish; when this resolves it will be granted, also if the process ends now. */
  ask(wish: Omit<LinkWish, 'id'>): Promise<void>
  /** Grants what waits and ends, within two seconds. */
  stop(): Promise<void>
}

/**
 * Sends an address a link, if it has an account and the call has one for it; silent either way. To ask is one insert,
 * whatever the address: neither the answer nor its time, not even under load, tells whether there is an account. Wishes
 * are granted soon after; what a process leaves behind another one grants, or the next.
 */
export function makeLinkWishes({
  config,
  db,
  log,
  outbox,
}: Pick<Parts, 'config' | 'db' | 'log' | 'outbox'>): LinkWishes {
  let timer: NodeJS.Timeout | undefined
  let granting: Promise<void> = Promise.resolve()
  let stopped = false

  const grant = async (tx: Db, { email, call, redirect_to, locale }: LinkWish) => {
    const user = await lockUserByEmail(tx, email)
    const purpose = user && CHOICES[call](user)
    if (!user || !purpose) return
    const signUpId = purpose === 'signup' ? (await findSignUp(tx, user.id))?.id : null
    if (signUpId === undefined) return
    await queueLink(tx, user.id, purpose, signUpId, redirect_to ?? homeOf(purpose, locale, config))
  }

  /** Each in a transaction of its own: one that fails waits for its next turn and holds up no other. */
  const grantAll = async () => {
    let againMs: number | undefined
    const failed = (error: unknown) => {
      log.warn({ fault: faultOf(error) }, 'a link was not granted; it is tried again')
      againMs = AGAIN_AFTER_MS
      return []
    }
    for (const id of await waitingLinkWishes(db).catch(failed)) {
      const granted = inTransaction(db, async (tx) => {
        const wish = await takeLinkWish(tx, id)
        if (wish) await grant(tx, wish)
      })
      await granted.then(() => outbox.wake(), failed)
    }
    if (againMs !== undefined) schedule(againMs)
  }

  const schedule = (afterMs: number) => {
    if (stopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      granting = granting.then(grantAll)
    }, afterMs).unref() // a start that failed half-way has nobody to stop this
  }

  schedule(GRANT_AFTER_MS) // what the process before left
  return {
    async ask(wish) {
      await insertLinkWish(db, { id: newId(), ...wish })
      schedule(GRANT_AFTER_MS)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      granting = granting.then(grantAll)
      const enough = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())
      await Promise.race([granting, enough])
    },
  }
}
