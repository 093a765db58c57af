import type { Db } from '../server/src/db/pool.ts'
import { listReceived } from '../server/src/messages/queries.ts'
import { countUnread, listNotifications } from '../server/src/notifications/queries.ts'

const PAGE_SIZE = 20

/** A list people look at, and the statement behind it. */
export type ListCase = { path: string; read: () => Promise<unknown> }

/** Returns the lists that are measured, of one user. */
export const listCases = (db: Db, userId: string): ListCase[] => [
  { path: '/api/messages?view=received', read: () => listReceived(db, userId, null, PAGE_SIZE + 1) },
  { path: '/api/notifications', read: () => listNotifications(db, userId, null, PAGE_SIZE + 1) },
  { path: '/api/notifications/unread-count', read: () => countUnread(db, userId) },
]
