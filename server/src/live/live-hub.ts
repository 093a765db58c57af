import { EventEmitter } from 'node:events'
import type { Pool } from '../db/pool.ts'
import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'

/** The callbacks of a user's open stream. */
export type LiveListener = {
  /** There may be updates for the user. */
  onUpdate(): void
  /** A session of the user may have ended, or the user's role may have changed. */
  onSessionChange(): void
}

/**
 * Tells open streams that a user may have updates. A hint carries nothing else: streams read what is new from the database, so
 * that a hint may come twice, late or for nothing.
 */
export type LiveHub = {
  /** Sends a hint for each user; call after the commit. Reaches this process immediately, and the others in batches by NOTIFY. */
  publish(userIds: Iterable<string>): void
  /** Calls back on hints for the user, until the returned function is called. */
  subscribe(userId: string, listener: LiveListener): () => void
  /** Calls back on every hint about updates, with the user, until the returned function is called. */
  subscribeAll(onUpdate: (userId: string) => void): () => void
  close(): Promise<void>
}

const CHANNEL = 'platenote_live'
// a NOTIFY payload has less than 8,000 bytes; an id and its comma take 37
const IDS_PER_NOTIFY = 200
/** Returns the event of hints about sessions, which come from the database itself (`auth/0002_auth.sql`). */
const sessionEvent = (userId: string) => `!${userId}`
/** The event that accompanies every hint about updates. */
const ANY_UPDATE = 'any'

/**
 * Opens the hub of this process and listens for hints of the others.
 *
 * @param processId a name no other process has, by which this process ignores its own NOTIFYs
 */
export async function openLiveHub(db: Pool, log: Logger, processId: string): Promise<LiveHub> {
  const emitter = new EventEmitter().setMaxListeners(0)
  let pendingUserIds = new Set<string>()
  let flushing: Promise<void> | undefined

  const emitHint = (id: string) => {
    emitter.emit(id)
    if (!id.startsWith('!')) emitter.emit(ANY_UPDATE, id)
  }

  // outside the transactions that cause the updates: a NOTIFY inside them would serialize their commits
  const flush = async () => {
    while (pendingUserIds.size > 0) {
      const ids = [...pendingUserIds]
      pendingUserIds = new Set()
      for (let i = 0; i < ids.length; i += IDS_PER_NOTIFY) {
        await db`select pg_notify(${CHANNEL}, ${`${processId} ${ids.slice(i, i + IDS_PER_NOTIFY).join(',')}`})`
      }
    }
  }

  const subscription = await db.listen(
    CHANNEL,
    (payload) => {
      const [from, ids = ''] = payload.split(' ')
      if (from === processId) return
      for (const id of ids.split(',')) emitHint(id)
    },
    // runs again after a lost connection is restored: hints may have been missed meanwhile
    () => {
      for (const id of emitter.eventNames()) if (id !== ANY_UPDATE) emitter.emit(id)
    },
  )

  return {
    publish(userIds) {
      for (const id of userIds) {
        emitHint(id)
        pendingUserIds.add(id)
      }
      if (pendingUserIds.size === 0 || flushing) return
      flushing = flush()
        .catch((error: unknown) => {
          log.warn({ fault: describeError(error) }, 'other processes were not told of news')
        })
        .finally(() => {
          flushing = undefined
        })
    },
    subscribe(userId, { onUpdate, onSessionChange }) {
      emitter.on(userId, onUpdate).on(sessionEvent(userId), onSessionChange)
      return () => void emitter.off(userId, onUpdate).off(sessionEvent(userId), onSessionChange)
    },
    subscribeAll(onUpdate) {
      emitter.on(ANY_UPDATE, onUpdate)
      return () => void emitter.off(ANY_UPDATE, onUpdate)
    },
    async close() {
      await flushing
      await subscription.unlisten().catch(() => {}) // the connection may be closed already
    },
  }
}
