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

/** What was done. A newer server may know more actions than this page. */
export const actionText = ({ action }: AuditEntry): string => actions[action]?.() ?? action

/** Who did it; what no admin did was PlateNote itself, or the command on the server that makes admins. */
export function actorText({ actor_email, action }: AuditEntry): string {
  if (actor_email !== null) return actor_email
  return action === 'admin_granted' || action === 'admin_revoked' ? m.admin_audit_command() : PRODUCT
}

const BETWEEN = ' · '

/** What it was done to: a plate's province in the language of the page, everything else as it was recorded. */
export function subjectText({ subject }: AuditEntry): string {
  const [first, last, ...more] = subject.split(BETWEEN)
  const province = PROVINCES.find((one) => one === last)
  if (!province || more.length > 0) return subject
  return `${first}, ${provinceName(province, getLocale())}`
}

/** Why somebody will not read of the decision by e-mail (requirements §8). */
export function lostMailText({ deleted_peer, response }: UndeliveredMail): string {
  if (response !== null) return m.admin_mail_failed({ response })
  return deleted_peer ? m.admin_mail_no_peer_address() : m.admin_mail_no_address()
}
