import type { CaseAction, CaseItem } from '#contract/cases.ts'
import type { ReportReason } from '#contract/reports.ts'
import { m } from '~/paraglide/messages'

const reasons: Record<ReportReason, () => string> = {
  threat: m.case_reason_threat,
  sexual: m.case_reason_sexual,
  harassment: m.case_reason_harassment,
  false_alarm: m.case_reason_false_alarm,
  spam: m.case_reason_spam,
  other: m.case_reason_other,
}

/** Names why a message was reported. */
export const reportReasonText = (reason: ReportReason): string => reasons[reason]()

/** Names what was reported and why, such as 'Message: threat'. */
export const caseTitle = ({ side, reason }: Pick<CaseItem, 'side' | 'reason'>): string =>
  `${side === 'message' ? m.case_side_message() : m.case_side_reply()}${m.colon()} ${reportReasonText(reason)}`

/** The possible decisions, in the order of the number keys. */
export const CASE_ACTIONS = ['dismiss', 'warn', 'limit', 'suspend', 'delete_message'] as const satisfies CaseAction[]

type ActionTexts = { button: () => string; done: () => string; consequence: () => string }

const actions: Record<CaseAction, ActionTexts> = {
  dismiss: { button: m.case_dismiss, done: m.case_dismiss_done, consequence: m.case_dismiss_text },
  warn: { button: m.case_warn, done: m.case_warn_done, consequence: m.case_warn_text },
  limit: { button: m.case_limit, done: m.case_limit_done, consequence: m.case_limit_text },
  suspend: { button: m.case_suspend, done: m.case_suspend_done, consequence: m.case_suspend_text },
  delete_message: { button: m.case_delete, done: m.case_delete_done, consequence: m.case_delete_text },
}

const deleteReply: ActionTexts = {
  button: m.case_delete_reply,
  done: m.case_delete_reply_done,
  consequence: m.case_delete_reply_text,
}

/** Returns the texts of an action: its button, its confirmation, and its consequence. */
export const actionTexts = (action: CaseAction, side: CaseItem['side'] = 'message') =>
  action === 'delete_message' && side === 'reply' ? deleteReply : actions[action]
