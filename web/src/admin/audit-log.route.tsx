import { listAuditLog } from '#contract/admin.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { AuditLogPage } from './AuditLogPage.tsx'
import { auditLogQuery } from './queries.ts'

const FIRST = urlOf(listAuditLog, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(auditLogQuery))

export const meta = () => privatePageMeta(m.admin_audit_title())

export default function AuditLog() {
  return <AuditLogPage />
}
