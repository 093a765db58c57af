import type { ReportAction, ReportItem } from '#contract/inbox.ts'
import { type AuditActor, recordAction } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { removeMessage, removeReply } from '../messages/remove-message.ts'
import { refuse } from '../refusal.ts'
import { closeCase, countReports, lockCase } from '../reports/case-queries.ts'
import { applySanction } from '../sanctions/apply-sanction.ts'
import { peopleOfCase, refuseOwnCase } from '../subjects/own-case.ts'
import { withDecisions } from './list-inbox.ts'

type ReportDecision = {
  id: string
  action: ReportAction
  reason: string
  days?: number | undefined
  /** How many reporters the admin has read; all there are when left out. */
  reports_read?: number | undefined
}

/**
 * Decides a report and closes it, in one transaction with its sanction, for an admin (decision admin-inbox). Of two at the same moment
 * the first one decides. `dismiss` notifies nobody. One that came again, which the admin has not read, keeps it open: the
 * decision is carried out, as if that had come right after it.
 *
 * Refuses with `not_found`, `case_closed`, `own_case`, `last_admin_suspended`.
 */
export async function decideReport(
  context: Pick<AppContext, 'db' | 'keyring' | 'outbox'> & { live: Pick<AppContext['live'], 'publishChange'> },
  admin: AuditActor,
  { id, action, reason, days, reports_read }: ReportDecision,
): Promise<ReportItem> {
  const { db, keyring, live, outbox } = context
  const { item, affected } = await inTransaction(db, async (tx) => {
    const row = (await lockCase(tx, id)) ?? refuse('not_found')
    await refuseOwnCase(tx, admin, peopleOfCase(tx, id))
    if (row.state === 'closed') refuse('case_closed')
    // none comes while it is locked
    const isRead = reports_read === undefined || (await countReports(tx, id)) <= reports_read
    if (isRead) await closeCase(tx, id)
    await recordAction(tx, keyring, { actor: admin, action: 'report_decided', subject: action, subjectId: id, reason })
    const affected: string[] = []
    if (action === 'delete_message') {
      const remove = row.side === 'message' ? removeMessage : removeReply
      affected.push(...(await remove(tx, row.message_id)))
    }
    if (action !== 'dismiss') {
      await applySanction(tx, context, {
        subjectId: row.subject_id,
        kind: action,
        days,
        reason,
        actor: admin,
        caseId: id,
      })
    }
    const [item] = await withDecisions(tx, [{ ...row, state: isRead ? 'closed' : 'open' }])
    return { item: item!, affected } // one row, one item
  })
  // what they have open shows it no longer
  live.publishChange(affected)
  outbox.wake()
  return item
}
