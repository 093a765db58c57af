import { AlarmClock, FileCheck, Flag, Gavel, Hourglass, type LucideIcon, Scale } from 'lucide-react'
import type { AdminAppeal, InboxItem, InboxKind, ReportAction, ReportItem } from '#contract/inbox.ts'
import { provinceName } from '#contract/provinces.ts'
import type { ReportReason } from '#contract/reports.ts'
import { sanctionKindText } from '~/admin/sanctions'
import { formatDate } from '~/lib/dates/dates'
import { getLocale } from '~/lib/i18n/i18n'
import { daysUntilDue } from '~/lib/time/due-days'
import { m } from '~/paraglide/messages'

/** The name and the icon of each kind of item. */
export const KINDS: Record<InboxKind, { icon: LucideIcon; name: () => string }> = {
  dispute: { icon: Scale, name: m.inbox_kind_dispute },
  report: { icon: Flag, name: m.inbox_kind_report },
  appeal: { icon: Gavel, name: m.inbox_kind_appeal },
}

const reasons: Record<ReportReason, () => string> = {
  threat: m.inbox_reason_threat,
  sexual: m.inbox_reason_sexual,
  harassment: m.inbox_reason_harassment,
  false_alarm: m.inbox_reason_false_alarm,
  spam: m.inbox_reason_spam,
  other: m.inbox_reason_other,
}

/** Names why a message was reported. */
export const reportReasonText = (reason: ReportReason): string => reasons[reason]()

/** Names what was reported and why, such as 'Message: threat'. */
export const reportTitle = ({ side, reason }: Pick<ReportItem, 'side' | 'reason'>): string =>
  `${side === 'message' ? m.inbox_side_message() : m.inbox_side_reply()}${m.colon()} ${reportReasonText(reason)}`

/** Names the decision that is appealed. */
export const appealTitle = ({ sanction: { kind, created_at } }: AdminAppeal): string =>
  m.appeals_about({ kind: sanctionKindText(kind), date: formatDate(created_at) })

/** Names what an item is about, in one line. */
export function itemTitle(item: InboxItem): string {
  if (item.kind === 'dispute') return `${item.plate}, ${provinceName(item.province, getLocale())}`
  if (item.kind === 'report') return reportTitle(item)
  return appealTitle(item)
}

/** The possible decisions about a report, in the order of the number keys. */
export const REPORT_ACTIONS = [
  'dismiss',
  'warn',
  'limit',
  'suspend',
  'delete_message',
] as const satisfies ReportAction[]

type ActionTexts = { button: () => string; done: () => string; consequence: () => string }

const actions: Record<ReportAction, ActionTexts> = {
  dismiss: { button: m.inbox_dismiss, done: m.inbox_dismiss_done, consequence: m.inbox_dismiss_text },
  warn: { button: m.inbox_warn, done: m.inbox_warn_done, consequence: m.inbox_warn_text },
  limit: { button: m.inbox_limit, done: m.inbox_limit_done, consequence: m.inbox_limit_text },
  suspend: { button: m.inbox_suspend, done: m.inbox_suspend_done, consequence: m.inbox_suspend_text },
  delete_message: { button: m.inbox_delete, done: m.inbox_delete_done, consequence: m.inbox_delete_text },
}

const deleteReply: ActionTexts = {
  button: m.inbox_delete_reply,
  done: m.inbox_delete_reply_done,
  consequence: m.inbox_delete_reply_text,
}

/** Returns the texts of an action: its button, its confirmation, and its consequence. */
export const actionTexts = (action: ReportAction, side: ReportItem['side'] = 'message') =>
  action === 'delete_message' && side === 'reply' ? deleteReply : actions[action]

/** When the documents of a dispute are due, and when they arrived. */
type Due = { documents_due_at: string; documents_received_at: string | null }

/** Says how many days are left to send the documents, or that they have arrived. */
export function describeDue({ documents_due_at, documents_received_at }: Due, now: number) {
  if (documents_received_at) return { tone: 'good', icon: FileCheck, text: m.admin_documents_received() } as const
  const days = daysUntilDue(documents_due_at, now)
  if (Date.parse(documents_due_at) < now) {
    const text = days === 0 ? m.admin_overdue() : m.admin_overdue_days({ count: -days })
    return { tone: 'danger', icon: AlarmClock, text } as const
  }
  const text = days === 0 ? m.admin_due_today() : m.admin_due_in_days({ count: days })
  return { tone: 'warn', icon: Hourglass, text } as const
}
