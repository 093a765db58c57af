import type { AuditAction, AuditEntry, UndeliveredMail } from '#contract/admin.ts'
import { PRODUCT } from '#contract/product.ts'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'

const actions: Record<AuditAction, () => string> = {
  vehicle_approved: m.admin_audit_vehicle_approved,
  vehicle_rejected: m.admin_audit_vehicle_rejected,
  vehicle_deleted: m.admin_audit_vehicle_deleted,
  user_deleted: m.admin_audit_user_deleted,
  documents_received: m.admin_audit_documents_received,
  documents_not_received: m.admin_audit_documents_not_received,
  dispute_overdue: m.admin_audit_dispute_overdue,
  admin_granted: m.admin_audit_admin_granted,
  admin_revoked: m.admin_audit_admin_revoked,
}

/** Names the action. A newer server may send actions that this page does not know. */
export const actionText = ({ action }: AuditEntry): string => actions[action]?.() ?? action

/** Names who did it: an admin, PlateNote itself, or the command on the server that grants and revokes admin rights. */
export function actorText({ actor_email, action }: AuditEntry): string {
  if (actor_email !== null) return actor_email
  return action === 'admin_granted' || action === 'admin_revoked' ? m.admin_audit_command() : PRODUCT
}

const SEPARATOR = ' · '

/** Names what it was done to: the province of a plate in the language of the page, everything else as recorded. */
export function subjectText({ subject }: AuditEntry): string {
  const [first, last, ...more] = subject.split(SEPARATOR)
  const province = PROVINCES.find((one) => one === last)
  if (!province || more.length > 0) return subject
  return `${first}, ${provinceName(province, getLocale())}`
}

/** Says why somebody does not get the email about a decision (requirements §8). */
export function undeliveredMailText({ deleted_peer, response }: UndeliveredMail): string {
  if (response !== null) return m.admin_mail_failed({ response })
  return deleted_peer ? m.admin_mail_no_peer_address() : m.admin_mail_no_address()
}
