import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { deleteUnsentMails } from '../email/outbox.ts'
import { findNoticeByHash, lockNotice, noteWithdrawal } from './queries.ts'
import { hashNotice } from './queue-notice.ts'

export type Withdrawal = { withdrawn: number; left: number }

/**
 * Withdraws a notice: deletes the emails that have not left, those that were given up too, and ends it, so that the same file
 * queues nothing more. Returns how many emails that was, and how many had left; null when the file was never queued.
 */
export async function withdrawNotice(db: Pool, file: string): Promise<Withdrawal | null> {
  const notice = await findNoticeByHash(db, hashNotice(file))
  if (!notice) return null
  return inTransaction(db, async (tx) => {
    // a command that is queueing it finds it complete with its next batch
    const { queued } = await lockNotice(tx, notice.id)
    const withdrawn = await deleteUnsentMails(tx, 'notice', notice.id)
    await noteWithdrawal(tx, notice.id, withdrawn)
    return { withdrawn, left: queued - withdrawn }
  })
}
