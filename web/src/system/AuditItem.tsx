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
import type { AuditAction, AuditEntry } from '#contract/admin.ts'
import { m } from '~/paraglide/messages'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { actionText, actorText, subjectText, undeliveredMailText } from './audit-text.ts'

/** As few icons as distinguish the kinds, and those of the sidebar where they fit: every icon adds to the weight of the page. */
const icons: Record<AuditAction, LucideIcon> = {
  vehicle_approved: BadgeCheck,
  vehicle_rejected: Ban,
  vehicle_deleted: Trash2,
  user_deleted: UserX,
  documents_received: FileCheck,
  documents_not_received: FileX,
  document_opened: FileLock2,
  dispute_overdue: AlarmClock,
  admin_granted: ShieldPlus,
  admin_revoked: ShieldMinus,
  person_warned: TriangleAlert,
  person_limited: Ban,
  user_suspended: Ban,
  message_removed: Trash2,
  suspension_lifted: BadgeCheck,
  limit_lifted: BadgeCheck,
  person_looked_up: Search,
  appeal_opened: Search,
  appeal_upheld: Ban,
  appeal_granted: BadgeCheck,
  factors_reset: KeyRound,
  password_reset: KeyRound,
  users_looked_up: Search,
  vehicles_looked_up: Search,
  user_looked_up: Search,
  report_opened: Flag,
  report_decided: Gavel,
  mail_retried: Mail,
  mails_retried: Mail,
  mails_hurried: Mail,
}

/** Shows one entry of the audit log: one line on large screens, several on small ones. */
export function AuditItem({ entry }: { entry: AuditEntry }) {
  const Icon = icons[entry.action as AuditAction] ?? CircleDot
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 px-5 py-4 sm:px-6 lg:grid-cols-[auto_1fr_15rem]">
      <Icon aria-hidden="true" className="mt-0.5 size-5 text-ink-soft" />
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap gap-x-3">
          <span className="sr-only">
            {m.admin_audit_what()}
            {m.colon()}{' '}
          </span>
          <span className="font-bold">{actionText(entry)}</span>
          <span className="wrap-anywhere">{subjectText(entry)}</span>
        </p>
        {entry.reason && (
          <p className="max-w-prose whitespace-pre-line wrap-anywhere">
            {m.admin_audit_reason({ reason: entry.reason })}
          </p>
        )}
        {entry.lost_mails.map((mail) => (
          <p key={mail.id} className="flex items-start gap-2 text-danger">
            <MailX aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
            <span className="flex min-w-0 flex-wrap gap-x-3 wrap-anywhere">
              <span className="font-semibold">{undeliveredMailText(mail)}</span>
              <span>{mail.to}</span>
            </span>
          </p>
        ))}
      </div>
      <div className="col-start-2 flex min-w-0 flex-wrap gap-x-3 text-sm text-ink-soft lg:col-start-auto lg:grid lg:content-start lg:justify-items-end lg:text-right">
        <p className="wrap-anywhere">
          <span className="sr-only">
            {m.admin_audit_who()}
            {m.colon()}{' '}
          </span>
          {actorText(entry)}
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
