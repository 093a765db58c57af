import { listAuditLog } from '#contract/admin.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import { queryClient } from '~/lib/query-client'
import { readBeforeDrawing } from '~/lib/read-before-drawing'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { AuditLogPage } from './AuditLogPage.tsx'
import { auditLogQuery } from './list-queries.ts'

const FIRST = addressOf(listAuditLog, {})

export const handle: RouteHandle = { reads: [FIRST] }

export const clientLoader = () => readBeforeDrawing(FIRST, () => queryClient.prefetchInfiniteQuery(auditLogQuery))

export const meta = () => pageMeta(m.admin_audit_title())

export default function AuditLog() {
  return <AuditLogPage />
}
