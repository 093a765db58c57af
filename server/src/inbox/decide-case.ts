import type { CaseAction, CaseItem } from '#contract/cases.ts'
import { type AuditActor, recordAction } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { removeMessage, removeReply } from '../messages/remove-message.ts'
import { refuse } from '../refusal.ts'
import { closeCase, countReports, lockCase } from '../reports/case-queries.ts'
import { applySanction } from '../sanctions/apply-sanction.ts'
import { isAccountOf } from '../sanctions/queries.ts'
import { withDecisions } from './list-cases.ts'

type CaseDecision = {
  id: string
  action: CaseAction
  reason: string
  days?: number | undefined
  /** How many reports the admin has read; all there are when left out. */
  reports_read?: number | undefined
}

/**
 * Decides a case and closes it, in one transaction with its sanction, for an admin (decision moderation-desk). Of two at the same moment
 * the first one decides. `dismiss` notifies nobody. A case with a report that the admin has not read stays open: the decision
 * is carried out, as if the report had come right after it.
 *
 * Refuses with `not_found`, `case_closed`, `own_case`, `last_admin_suspended`.
 */
export async function decideCase(
  context: Pick<AppContext, 'db' | 'keyring' | 'live' | 'outbox'>,
  admin: NonNullable<AuditActor>,
  { id, action, reason, days, reports_read }: CaseDecision,
): Promise<CaseItem> {
  const { db, keyring, live, outbox } = context
  const { item, affected } = await inTransaction(db, async (tx) => {
    const row = (await lockCase(tx, id)) ?? refuse('not_found')
    if (await isAccountOf(tx, row.subject_id, admin.id)) refuse('own_case')
    if (row.state === 'closed') refuse('case_closed')
    // no report comes while the case is locked
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
