import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMailWithoutAccount } from '../email/outbox.ts'
import { insertOpeningList } from './opening-queries.ts'

/**
 * Queues the email that reports to the privacy officer who opened what last week and why (decision 0087), if nobody has. Any
 * number of processes may call it as often as they like: a week has one list, and a week nobody worked in is part of the
 * next.
 */
export const queueOpeningList = (db: Pool): Promise<void> =>
  inTransaction(db, async (tx) => {
    const id = await insertOpeningList(tx)
    if (id !== null) await queueMailWithoutAccount(tx, 'opening_list', id)
  })
