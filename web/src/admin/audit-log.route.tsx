import { listAuditLog } from '#contract/admin.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { AuditLogPage } from './AuditLogPage.tsx'

export const handle: RouteHandle = { reads: [addressOf(listAuditLog, {})] }

export const meta = () => pageMeta(m.admin_audit_title())

export default function AuditLog() {
  return <AuditLogPage />
}
