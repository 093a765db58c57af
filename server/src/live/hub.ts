import { EventEmitter } from 'node:events'
import type { Pool } from '../db/pool.ts'
import { faultOf } from '../http/errors.ts'
import type { Logger } from '../parts.ts'

/** Tells open streams that a user has news. A hint only: streams read what is new from the database. */
export type LiveHub = {
  /** Call after the commit. Reaches this process at once and the others by one NOTIFY for all waiting users. */
  publish(userIds: Iterable<string>): void
  /** Calls back whenever the user may have news, until the returned function is called. */
  subscribe(userId: string, onNews: () => void): () => void
  close(): Promise<void>
}

const CHANNEL = 'platenote_live'
// a NOTIFY payload holds less than 8,000 bytes; an id and its comma take 37
const IDS_A_NOTIFY = 200

/**
 * @param process a name no other process has; its own NOTIFYs come back and are left out by it
 */
export async function openLiveHub(db: Pool, log: Logger, process: string): Promise<LiveHub> {
  const users = new EventEmitter().setMaxListeners(0)
  let waiting = new Set<string>()
  let flushing: Promise<void> | undefined

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
      for (const id of ids.split(',')) users.emit(id)
    },
    // also after the connection was lost and found: hints may have been missed meanwhile
    () => {
      for (const id of users.eventNames()) users.emit(id)
    },
  )

  return {
    publish(userIds) {
      for (const id of userIds) {
        users.emit(id)
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
    subscribe(userId, onNews) {
      users.on(userId, onNews)
      return () => users.off(userId, onNews)
    },
    async close() {
      await flushing
      await listening.unlisten().catch(() => {}) // the connection may be gone already
    },
  }
}
