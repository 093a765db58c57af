import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { PagedList } from '~/admin/frame/PagedList'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { flattenPages } from '~/lib/query/paged'
import { prefetchBeforeRender } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { AuditItem } from './AuditItem.tsx'
import { auditLogQuery } from './queries.ts'

export const handle: RouteHandle = { prefetch: [auditLogQuery] }

export const clientLoader = () => prefetchBeforeRender(auditLogQuery)

export const meta = () => privatePageMeta(m.admin_audit_title())

/** Renders /admin/system/audit-log: who did what, when and why. */
export default function AuditLogPage() {
  const list = useInfiniteQuery(auditLogQuery)
  const entries = flattenPages(list.data)
  return (
    <>
      <PageHeader back={{ to: paths.adminSystem(), text: m.admin_system_title() }} title={m.admin_audit_title()}>
        {m.admin_audit_intro({ product: PRODUCT })}
      </PageHeader>
      <PagedList
        list={list}
        count={m.admin_audit_shown({ count: entries.length })}
        isEmpty={entries.length === 0}
        skeleton={<Skeleton className="h-96 rounded-2xl!" />}
        empty={
          <EmptyState icon={ScrollText} title={m.admin_audit_empty()}>
            {m.admin_audit_empty_text()}
          </EmptyState>
        }
      >
        <ol
          aria-label={m.admin_audit_title()}
          className="divide-y divide-line rounded-2xl border border-line bg-surface shadow-card"
        >
          {entries.map((entry) => (
            <AuditItem key={entry.id} entry={entry} />
          ))}
        </ol>
      </PagedList>
    </>
  )
}
