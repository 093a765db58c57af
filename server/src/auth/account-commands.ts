import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { deleteEveryLink, deleteLinks } from './link-queries.ts'
import { deleteEverySession, endAllSessions } from './session-queries.ts'
import { lockUserByEmail } from './user-queries.ts'

// What the admin command does to sessions. Removing factors is in `factors/reset-factors.ts`.

/** Signs an account out everywhere and voids its links: somebody else may have them. Returns false when there is none. */
export const signOutByEmail = (db: Pool, email: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user) return false
    await deleteLinks(tx, user.id)
    await endAllSessions(tx, user.id)
    return true
  })

/** Signs everybody out and voids all links, after a breach. Returns the number of sessions that ended. */
export const signOutEverybody = (db: Pool): Promise<number> =>
  inTransaction(db, async (tx) => {
    await deleteEveryLink(tx)
    return deleteEverySession(tx)
  })
