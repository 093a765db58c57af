import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useRef } from 'react'
import { PRODUCT } from '#contract/product.ts'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { AuditItem } from './AuditItem.tsx'
import { PagedList } from './PagedList.tsx'
import { auditLogQuery } from './queries.ts'
import { ResultCount } from './ResultCount.tsx'

/** Renders /admin/audit-log: who did what, when and why. */
export function AuditLogPage() {
  const list = useInfiniteQuery(auditLogQuery)
  const entries = flattenPages(list.data)
  const count = useRef<HTMLParagraphElement>(null)
  return (
    <>
      <PageHeader title={m.admin_audit_title()}>{m.admin_audit_intro({ product: PRODUCT })}</PageHeader>
      <ResultCount
        ref={count}
        text={list.data && m.admin_audit_shown({ count: entries.length })}
        hidden={entries.length === 0}
      />
      <PagedList
        list={list}
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
