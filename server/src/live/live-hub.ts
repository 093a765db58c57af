import { EventEmitter } from 'node:events'
import type { Pool } from '../db/pool.ts'
import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'

/** The callbacks of a user's open stream. */
type LiveListener = {
  /** There may be updates for the user. */
  onUpdate(): void
  /** What the user has open may have changed without anything new: read it again. */
  onChange(): void
  /** A session of the user may have ended, or the user's role may have changed. */
  onSessionChange(): void
}

/**
 * Notifies open streams that a user may have updates. A hint carries nothing else: streams read what is new from the
 * database, so that a hint may come twice, late or for nothing.
 */
export type LiveHub = {
  /** Sends a hint for each user; call after the commit. Reaches this process immediately, and the others in batches by NOTIFY. */
  publish(userIds: Iterable<string>): void
  /** As `publish`, for what was taken away or altered, so that no notification leads to it. */
  publishChange(userIds: Iterable<string>): void
  /** As `publish`, for a change after which sessions of the user may have to prove more than they have. */
  publishSessionChange(userId: string): void
  /** Calls back on hints for the user, until the returned function is called. */
  subscribe(userId: string, listener: LiveListener): () => void
  /** Calls back on every hint about updates, with the user, until the returned function is called. */
  subscribeAll(onUpdate: (userId: string) => void): () => void
  /** Returns how many streams of this process are subscribed. */
  countStreams(): number
  close(): Promise<void>
}

const CHANNEL = 'platenote_live'
// a NOTIFY payload has less than 8,000 bytes; a hint and its comma take 39 at most
const HINTS_PER_NOTIFY = 200
/** Returns the event of hints about sessions. Those about their end come from the database itself (`auth/schema.sql`). */
const sessionEvent = (userId: string) => `!${userId}`
/** Returns the event of hints about changes. */
const changeEvent = (userId: string) => `!*${userId}`
/** The event that accompanies every hint about updates. */
const ANY_UPDATE = 'any'

/**
 * Opens the hub of this process and listens for hints of the others.
 *
 * @param processId a name no other process has, by which this process ignores its own NOTIFYs
 */
export async function openLiveHub(db: Pool, log: Logger, processId: string): Promise<LiveHub> {
  const emitter = new EventEmitter().setMaxListeners(0)
  let pendingHints = new Set<string>()
  let flushing: Promise<void> | undefined
  let streams = 0

  const emitHint = (hint: string) => {
    emitter.emit(hint)
    if (!hint.startsWith('!')) emitter.emit(ANY_UPDATE, hint)
  }

  // outside the transactions that cause the updates: a NOTIFY inside them would serialize their commits
  const flush = async () => {
    while (pendingHints.size > 0) {
      const hints = [...pendingHints]
      pendingHints = new Set()
      for (let i = 0; i < hints.length; i += HINTS_PER_NOTIFY) {
        await db`select pg_notify(${CHANNEL}, ${`${processId} ${hints.slice(i, i + HINTS_PER_NOTIFY).join(',')}`})`
      }
    }
  }

  const subscription = await db.listen(
    CHANNEL,
    (payload) => {
      const [from, hints = ''] = payload.split(' ')
      if (from === processId) return
      for (const hint of hints.split(',')) emitHint(hint)
    },
    // runs again after a lost connection is restored: hints may have been missed meanwhile
    () => {
      // not of changes: every open page would load everything again at the same moment
      const isMissable = (name: string | symbol) => name !== ANY_UPDATE && !String(name).startsWith(changeEvent(''))
      for (const name of emitter.eventNames().filter(isMissable)) emitter.emit(name)
    },
  )

  const send = (hints: Iterable<string>) => {
    for (const hint of hints) {
      emitHint(hint)
      pendingHints.add(hint)
    }
    if (pendingHints.size === 0 || flushing) return
    flushing = flush()
      .catch((error: unknown) => {
        log.warn({ error: describeError(error) }, 'other processes could not be notified')
      })
      .finally(() => {
        flushing = undefined
      })
  }

  return {
    publish: send,
    publishChange: (userIds) => send(Array.from(userIds, changeEvent)),
    publishSessionChange: (userId) => send([sessionEvent(userId)]),
    subscribe(userId, { onUpdate, onChange, onSessionChange }) {
      const handlers = [
        [userId, onUpdate],
        [changeEvent(userId), onChange],
        [sessionEvent(userId), onSessionChange],
      ] as const
      for (const [name, handler] of handlers) emitter.on(name, handler)
      streams++
      return () => {
        streams--
        for (const [name, handler] of handlers) emitter.off(name, handler)
      }
    },
    subscribeAll(onUpdate) {
      emitter.on(ANY_UPDATE, onUpdate)
      return () => void emitter.off(ANY_UPDATE, onUpdate)
    },
    countStreams: () => streams,
    async close() {
      await flushing
      await subscription.unlisten().catch(() => {}) // the connection may be closed already
    },
  }
}
