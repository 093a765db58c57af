import type { AuditAction, AuditEntry, UndeliveredMail } from '#contract/admin.ts'
import { PRODUCT } from '#contract/product.ts'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { mailKindText } from './mail-kinds.ts'

const actions: Record<AuditAction, () => string> = {
  vehicle_approved: m.admin_audit_vehicle_approved,
  vehicle_rejected: m.admin_audit_vehicle_rejected,
  vehicle_deleted: m.admin_audit_vehicle_deleted,
  user_deleted: m.admin_audit_user_deleted,
  documents_received: m.admin_audit_documents_received,
  documents_not_received: m.admin_audit_documents_not_received,
  document_opened: m.admin_audit_document_opened,
  dispute_overdue: m.admin_audit_dispute_overdue,
  admin_granted: m.admin_audit_admin_granted,
  admin_revoked: m.admin_audit_admin_revoked,
  person_warned: m.admin_audit_person_warned,
  person_limited: m.admin_audit_person_limited,
  user_suspended: m.admin_audit_user_suspended,
  message_removed: m.admin_audit_message_removed,
  suspension_lifted: m.admin_audit_suspension_lifted,
  limit_lifted: m.admin_audit_limit_lifted,
  person_looked_up: m.admin_audit_person_looked_up,
  appeal_opened: m.admin_audit_appeal_opened,
  appeal_upheld: m.admin_audit_appeal_upheld,
  appeal_granted: m.admin_audit_appeal_granted,
  factors_reset: m.admin_audit_factors_reset,
  password_reset: m.admin_audit_password_reset,
  users_looked_up: m.admin_audit_users_looked_up,
  vehicles_looked_up: m.admin_audit_vehicles_looked_up,
  user_looked_up: m.admin_audit_user_looked_up,
  report_opened: m.admin_audit_report_opened,
  report_decided: m.admin_audit_report_decided,
  mail_retried: m.admin_audit_mail_retried,
  mails_retried: m.admin_audit_mails_retried,
  mails_hurried: m.admin_audit_mails_hurried,
}

/** Names the action. A newer server may send actions that this page does not know, and an entry may be of an older one. */
export const actionText = ({ action }: AuditEntry): string => actions[action as AuditAction]?.() ?? action

const COMMAND_ACTIONS = new Set<string>([
  'admin_granted',
  'admin_revoked',
  'user_suspended',
  'suspension_lifted',
  'limit_lifted',
  'factors_reset',
  'password_reset',
  'mails_retried',
  'mails_hurried',
])

/** Names who did it: an admin, PlateNote itself, or the command on the server (`platenote admin`). */
export function actorText({ actor_email, action }: AuditEntry): string {
  if (actor_email !== null) return actor_email
  return COMMAND_ACTIONS.has(action) ? m.admin_audit_command() : PRODUCT
}

const SEPARATOR = ' · '

/**
 * Names what it was done to: the province of a plate in the language of the page, of a look-up the hash of the question and
 * how many it showed, of an email its kind, everything else as recorded.
 */
export function subjectText({ action, subject }: AuditEntry): string {
  const [first = '', last = '', ...more] = subject.split(SEPARATOR)
  if (action === 'users_looked_up' || action === 'vehicles_looked_up') {
    return m.admin_audit_look_up({ hash: first, count: Number(last) })
  }
  if (action === 'mail_retried') return [mailKindText(first), last].filter(Boolean).join(SEPARATOR)
  if (action === 'mails_retried' || action === 'mails_hurried') return m.admin_audit_mails({ count: Number(first) })
  const province = PROVINCES.find((one) => one === last)
  if (!province || more.length > 0) return subject
  return `${first}, ${provinceName(province, getLocale())}`
}

/** Says why somebody does not get the email about a decision (requirements §8). */
export function undeliveredMailText({ deleted_peer, response }: UndeliveredMail): string {
  if (response !== null) return m.admin_mail_failed({ response })
  return deleted_peer ? m.admin_mail_no_peer_address() : m.admin_mail_no_address()
}
