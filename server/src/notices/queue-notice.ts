import { createHash } from 'node:crypto'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueSpreadMails } from '../email/outbox.ts'
import type { NoticeTexts } from './parse-notice.ts'
import { findNoticeByHash, insertNotice, listNoticeRecipients, lockNotice, noteProgress } from './queries.ts'

const BATCH_SIZE = 500

/** Returns what identifies a notice: the same file is the same notice. */
export const hashNotice = (file: string): Buffer => createHash('sha256').update(file).digest()

type Options = { perMinute: number; onBatch?: (queued: number) => unknown }

/**
 * Queues a notice to every account, once each: run again, after a kill or a month, it goes on where it stopped, and does nothing
 * once it is complete. The emails are spread over time, so that a sign-in link never waits behind them.
 *
 * @returns how many emails this run queued, and how many there are in all
 */
export async function queueNotice(db: Pool, file: string, texts: NoticeTexts, { perMinute, onBatch }: Options) {
  const hash = hashNotice(file)
  const id = (await findNoticeByHash(db, hash))?.id ?? (await insertNotice(db, hash, texts))
  let added = 0
  for (;;) {
    const batch = await inTransaction(db, async (tx) => {
      const notice = await lockNotice(tx, id)
      if (notice.completed_at) return { ids: [], total: notice.queued, isComplete: true }
      const rows = await listNoticeRecipients(tx, notice.queued_to, notice.created_at, BATCH_SIZE)
      const ids = rows.map((row) => row.id)
      const isComplete = ids.length < BATCH_SIZE
      await queueSpreadMails(tx, { kind: 'notice', refId: id, recipientIds: ids, startsAfter: added, perMinute })
      await noteProgress(tx, id, ids, isComplete)
      return { ids, total: notice.queued + ids.length, isComplete }
    })
    added += batch.ids.length
    await onBatch?.(batch.total)
    if (batch.isComplete) return { added, total: batch.total }
  }
}
