import { EventEmitter } from 'node:events'
import type { Pool } from '../db/pool.ts'
import { faultOf } from '../http/errors.ts'
import type { Logger } from '../parts.ts'

/** What an open stream of a user does on a hint. */
export type Listener = {
  /** There may be news. */
  onNews(): void
  /** A session of the user may have ended, or the user's rights have changed. */
  onSessions(): void
}

/** Tells open streams that a user has news. A hint only: streams read what is new from the database. */
export type LiveHub = {
  /** Call after the commit. Reaches this process at once and the others by one NOTIFY for all waiting users. */
  publish(userIds: Iterable<string>): void
  /** Calls back on hints for the user, until the returned function is called. */
  subscribe(userId: string, listener: Listener): () => void
  /** Calls back on every hint at news, with the user, until the returned function is called. */
  watch(onNews: (userId: string) => void): () => void
  close(): Promise<void>
}

const CHANNEL = 'platenote_live'
// a NOTIFY payload holds less than 8,000 bytes; an id and its comma take 37
const IDS_A_NOTIFY = 200
/** Hints at sessions come from the database itself, under this mark (`auth/0018_ended_sessions.sql`). */
const sessionsOf = (userId: string) => `!${userId}`
/** An event that comes beside every hint at news. */
const ANY_NEWS = 'any'

/**
 * @param process a name no other process has; its own NOTIFYs come back and are left out by it
 */
export async function openLiveHub(db: Pool, log: Logger, process: string): Promise<LiveHub> {
  const users = new EventEmitter().setMaxListeners(0)
  let waiting = new Set<string>()
  let flushing: Promise<void> | undefined

  const tell = (id: string) => {
    users.emit(id)
    if (!id.startsWith('!')) users.emit(ANY_NEWS, id)
  }

  // outside the transactions that cause the news: a NOTIFY inside them serializes their commits
  const flush = async () => {
    while (waiting.size > 0) {
      const ids = [...waiting]
      waiting = new Set()
      for (let i = 0; i < ids.length; i += IDS_A_NOTIFY) {
        await db`select pg_notify(${CHANNEL}, ${`${process} ${ids.slice(i, i + IDS_A_NOTIFY).join(',')}`})`
      }
    }
  }

  const listening = await db.listen(
    CHANNEL,
    (payload) => {
      const [from, ids = ''] = payload.split(' ')
      if (from === process) return
      for (const id of ids.split(',')) tell(id)
    },
    // also after the connection was lost and found: hints may have been missed meanwhile
    () => {
      for (const id of users.eventNames()) if (id !== ANY_NEWS) users.emit(id)
    },
  )

  return {
    publish(userIds) {
      for (const id of userIds) {
        tell(id)
        waiting.add(id)
      }
      if (waiting.size === 0 || flushing) return
      flushing = flush()
        .catch((error: unknown) => {
          log.warn({ fault: faultOf(error) }, 'other processes were not told of news')
        })
        .finally(() => {
          flushing = undefined
        })
    },
    subscribe(userId, { onNews, onSessions }) {
      users.on(userId, onNews).on(sessionsOf(userId), onSessions)
      return () => void users.off(userId, onNews).off(sessionsOf(userId), onSessions)
    },
    watch(onNews) {
      users.on(ANY_NEWS, onNews)
      return () => void users.off(ANY_NEWS, onNews)
    },
    async close() {
      await flushing
      await listening.unlisten().catch(() => {}) // the connection may be gone already
    },
  }
}
