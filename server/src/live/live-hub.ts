import { EventEmitter } from 'node:events'
import type { Pool } from '../db/pool.ts'
import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'

/** What an open stream of a user does on a hint. */
export type LiveListener = {
  /** There may be news. */
  onUpdate(): void
  /** A session of the user may have ended, or the user's rights have changed. */
  onSessionChange(): void
}

/** Tells open streams that a user has news. A hint only: streams read what is new from the database. */
export type LiveHub = {
  /** Call after the commit. Reaches this process at once and the others by one NOTIFY for all waiting users. */
  publish(userIds: Iterable<string>): void
  /** Calls back on hints for the user, until the returned function is called. */
  subscribe(userId: string, listener: LiveListener): () => void
  /** Calls back on every hint at news, with the user, until the returned function is called. */
  subscribeAll(onNews: (userId: string) => void): () => void
  close(): Promise<void>
}

const CHANNEL = 'platenote_live'
// a NOTIFY payload holds less than 8,000 bytes; an id and its comma take 37
const IDS_PER_NOTIFY = 200
/** Hints at sessions come from the database itself, under this mark (`auth/0002_auth.sql`). */
const sessionEvent = (userId: string) => `!${userId}`
/** An event that comes beside every hint at news. */
const ANY_UPDATE = 'any'

/**
 * @param processId a name no other process has; its own NOTIFYs come back and are left out by it
 */
export async function openLiveHub(db: Pool, log: Logger, processId: string): Promise<LiveHub> {
  const emitter = new EventEmitter().setMaxListeners(0)
  let pendingUserIds = new Set<string>()
  let flushing: Promise<void> | undefined

  const emitHint = (id: string) => {
    emitter.emit(id)
    if (!id.startsWith('!')) emitter.emit(ANY_UPDATE, id)
  }

  // outside the transactions that cause the news: a NOTIFY inside them serializes their commits
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
    // also after the connection was lost and found: hints may have been missed meanwhile
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
    subscribeAll(onNews) {
      emitter.on(ANY_UPDATE, onNews)
      return () => void emitter.off(ANY_UPDATE, onNews)
    },
    async close() {
      await flushing
      await subscription.unlisten().catch(() => {}) // the connection may be gone already
    },
  }
}
