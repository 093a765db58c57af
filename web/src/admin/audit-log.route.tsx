import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { AuditLogPage } from './AuditLogPage.tsx'

export const meta = () => pageMeta(m.admin_audit_title())

export default function AuditLog() {
  return <AuditLogPage />
}
