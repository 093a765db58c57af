import {
  AlarmClock,
  BadgeCheck,
  Ban,
  CircleDot,
  FileCheck,
  FileLock2,
  FileX,
  Flag,
  Gavel,
  KeyRound,
  type LucideIcon,
  Mail,
  MailX,
  Search,
  ShieldMinus,
  ShieldPlus,
  Trash2,
  TriangleAlert,
  UserX,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditAction, AuditEntry, UndeliveredMail } from '#contract/admin.ts'
import { mailKindName } from '#contract/mail-kinds.ts'
import { PRODUCT } from '#contract/product.ts'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { TypedText } from '~/ui/signed-in/TypedText'

type Kind = readonly [icon: LucideIcon, text: () => string, isOfCommand?: true]

/**
 * The icon and the name of each action, and whether it may be of the command on the server (`platenote admin`). As few icons as distinguish
 * the kinds, and those of the sidebar where they fit: every icon adds to the weight of the page.
 */
const KINDS: Record<AuditAction, Kind> = {
  vehicle_approved: [BadgeCheck, m.admin_audit_vehicle_approved, true],
  vehicle_rejected: [Ban, m.admin_audit_vehicle_rejected, true],
  vehicle_deleted: [Trash2, m.admin_audit_vehicle_deleted, true],
  user_deleted: [UserX, m.admin_audit_user_deleted],
  documents_received: [FileCheck, m.admin_audit_documents_received],
  documents_not_received: [FileX, m.admin_audit_documents_not_received],
  document_opened: [FileLock2, m.admin_audit_document_opened],
  dispute_opened: [Search, m.admin_audit_dispute_opened],
  dispute_overdue: [AlarmClock, m.admin_audit_dispute_overdue],
  admin_granted: [ShieldPlus, m.admin_audit_admin_granted, true],
  admin_revoked: [ShieldMinus, m.admin_audit_admin_revoked, true],
  person_warned: [TriangleAlert, m.admin_audit_person_warned, true],
  person_limited: [Ban, m.admin_audit_person_limited, true],
  user_suspended: [Ban, m.admin_audit_user_suspended, true],
  message_removed: [Trash2, m.admin_audit_message_removed, true],
  suspension_lifted: [BadgeCheck, m.admin_audit_suspension_lifted, true],
  limit_lifted: [BadgeCheck, m.admin_audit_limit_lifted, true],
  person_looked_up: [Search, m.admin_audit_person_looked_up],
  appeal_opened: [Search, m.admin_audit_appeal_opened],
  appeal_upheld: [Ban, m.admin_audit_appeal_upheld, true],
  appeal_granted: [BadgeCheck, m.admin_audit_appeal_granted, true],
  factors_reset: [KeyRound, m.admin_audit_factors_reset, true],
  password_reset: [KeyRound, m.admin_audit_password_reset, true],
  users_looked_up: [Search, m.admin_audit_users_looked_up],
  vehicles_looked_up: [Search, m.admin_audit_vehicles_looked_up],
  user_looked_up: [Search, m.admin_audit_user_looked_up],
  report_opened: [Flag, m.admin_audit_report_opened],
  report_decided: [Gavel, m.admin_audit_report_decided, true],
  mail_retried: [Mail, m.admin_audit_mail_retried],
  mails_retried: [Mail, m.admin_audit_mails_retried, true],
  mails_hurried: [Mail, m.admin_audit_mails_hurried, true],
}

/** Shows one entry of the audit log: one line on large screens, several on small ones. */
export function AuditItem({ entry }: { entry: AuditEntry }) {
  // a newer server may send actions that this page does not know, and an entry may be of an older one
  const kind: Kind = KINDS[entry.action as AuditAction] ?? [CircleDot, () => entry.action]
  const [Icon, actionText, isOfCommand] = kind
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 px-5 py-4 sm:px-6 lg:grid-cols-[auto_1fr_15rem]">
      <Icon aria-hidden="true" className="mt-0.5 size-5 text-ink-soft" />
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap gap-x-3">
          <span className="sr-only">
            {m.admin_audit_what()}
            {m.colon()}{' '}
          </span>
          <span className="font-bold">{actionText()}</span>
          <span>{subjectText(entry)}</span>
        </p>
        {entry.reason && <TypedText>{m.admin_audit_reason({ reason: entry.reason })}</TypedText>}
        {entry.lost_mails.map((mail) => (
          <p key={mail.id} className="flex items-start gap-2 text-danger">
            <MailX aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
            <span className="flex min-w-0 flex-wrap gap-x-3">
              <span className="font-semibold">{undeliveredMailText(mail)}</span>
              <span translate="no">{mail.to}</span>
            </span>
          </p>
        ))}
      </div>
      <div className="col-start-2 flex min-w-0 flex-wrap gap-x-3 text-sm text-ink-soft lg:col-start-auto lg:grid lg:content-start lg:justify-items-end lg:text-right">
        <p>
          <span className="sr-only">
            {m.admin_audit_who()}
            {m.colon()}{' '}
          </span>
          {entry.actor_email
            ? verbatim(entry.actor_email, entry.actor_email)
            : isOfCommand
              ? m.admin_audit_command()
              : PRODUCT}
        </p>
        <p>
          <span className="sr-only">
            {m.admin_audit_when()}
            {m.colon()}{' '}
          </span>
          <DateTime iso={entry.at} />
        </p>
      </div>
    </li>
  )
}

const SEPARATOR = ' · '

/**
 * Names what it was done to: the province of a plate in the language of the page, of a look-up how many
 * it showed, of an email its kind, everything else as recorded.
 */
function subjectText({ action, subject }: AuditEntry): ReactNode {
  const [first = '', last = '', ...more] = subject.split(SEPARATOR)
  if (action === 'users_looked_up' || action === 'vehicles_looked_up')
    return m.admin_audit_look_up({ count: Number(last) })
  if (action === 'mail_retried')
    return verbatim([mailKindName(first, getLocale()), last].filter(Boolean).join(SEPARATOR), last)
  if (action === 'mails_retried' || action === 'mails_hurried') return m.admin_audit_mails({ count: Number(first) })
  const province = PROVINCES.find((one) => one === last)
  if (!province || more.length > 0) return verbatim(subject, subject)
  return verbatim(`${first}, ${provinceName(province, getLocale())}`, first)
}

/** Says why somebody does not get the email about a decision (requirements §8). */
function undeliveredMailText({ deleted_peer, response }: UndeliveredMail): ReactNode {
  if (response !== null) return verbatim(m.admin_mail_failed({ response }), response)
  return deleted_peer ? m.admin_mail_no_peer_address() : m.admin_mail_no_address()
}
