import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { listAdmins, lockAdmins, setAdmin } from './queries.ts'

export type RevokeOutcome = 'revoked' | 'not_an_admin' | 'last_admin'

/** Gives a confirmed account the admin right (design decision 8). False when there is no such account. It acts at once. */
export const grantAdmin = (db: Pool, email: string): Promise<boolean> => setAdmin(db, email, true)

/** Takes the admin right. The last admin keeps it: nobody could give it back through the product. */
export const revokeAdmin = (db: Pool, email: string): Promise<RevokeOutcome> =>
  inTransaction(db, async (tx) => {
    // held, so that two admins cannot revoke each other at once
    const admins = await lockAdmins(tx)
    if (!admins.includes(email)) return 'not_an_admin'
    if (admins.length === 1) return 'last_admin'
    await setAdmin(tx, email, false)
    return 'revoked'
  })

/** The addresses of all admins. */
export const admins = (db: Pool): Promise<string[]> => listAdmins(db)
