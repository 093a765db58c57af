import { useInfiniteQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useRef } from 'react'
import { type AdminDispute, type DisputeSide, listDisputes } from '#contract/admin.ts'
import { urlOf } from '~/lib/http/api'
import { getLocale } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { flattenPages } from '~/lib/query/paged'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { vehicleName } from '~/vehicles/vehicle-name'
import { DecisionDialogs } from './DecisionDialogs.tsx'
import { DisputeCard, type SideDecision } from './DisputeCard.tsx'
import { applyDecisionToDisputes, isSamePlate } from './optimistic-decisions.ts'
import { PagedList } from './PagedList.tsx'
import { disputesQuery } from './queries.ts'
import { ResultCount } from './ResultCount.tsx'
import { useConfirmDecision } from './use-confirm-decision.ts'
import { usePendingDecisions } from './use-decide.ts'
import { applyMarks, useMarkDocuments, usePendingMarks } from './use-mark-documents.ts'

const FIRST = urlOf(listDisputes, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(disputesQuery))

export const meta = () => privatePageMeta(m.admin_disputes_title())

/** Renders /admin/disputes, where admins decide who owns a disputed plate (requirements §4, decision plate-disputes). */
export default function DisputesPage() {
  const list = useInfiniteQuery(disputesQuery)
  const marked = applyMarks(flattenPages(list.data), usePendingMarks())
  const disputes = usePendingDecisions().reduce(applyDecisionToDisputes, marked)
  const markDocuments = useMarkDocuments()
  const count = useRef<HTMLParagraphElement>(null)
  const { openDialog, dialogs } = useConfirmDecision(count)

  return (
    <>
      <PageHeader title={m.admin_disputes_title()}>{m.admin_disputes_intro()}</PageHeader>
      <ResultCount
        ref={count}
        text={list.data && m.admin_disputes_shown({ count: disputes.length })}
        hidden={disputes.length === 0}
      />
      <PagedList
        list={list}
        isEmpty={disputes.length === 0}
        skeleton={<DisputesSkeleton />}
        empty={
          <EmptyState icon={Scale} title={m.admin_disputes_empty()}>
            {m.admin_disputes_empty_text()}
          </EmptyState>
        }
      >
        <ul aria-label={m.admin_disputes_title()} className="grid gap-6">
          {disputes.map((dispute) => (
            <DisputeCard
              key={dispute.id}
              dispute={dispute}
              onDocuments={(documents_received) => markDocuments.mutate({ id: dispute.id, documents_received })}
              onDecide={(action, side) =>
                openDialog({
                  action,
                  vehicle: { id: side.vehicle_id, plate: side.plate, province: dispute.province },
                  text: consequencesOf(action, side, dispute, disputes),
                  affectsOthers: true,
                })
              }
            />
          ))}
        </ul>
      </PagedList>
      <DecisionDialogs {...dialogs} />
    </>
  )
}

/** Describes what follows from a decision, for the dialog that confirms it: who gets the plate, and who loses it. */
function consequencesOf(action: SideDecision, side: DisputeSide, dispute: AdminDispute, all: AdminDispute[]): string[] {
  const owner = side.owner_email
  if (action === 'reject') {
    const about = m.admin_decide_about({ vehicle: vehicleName(side), owner })
    return [about, m.admin_reject_text(), m.admin_leaves_dispute()]
  }
  const sides = all
    .filter((other) => isSamePlate(other, dispute))
    .flatMap((other) => [other.incumbent, other.challenger])
  const losers = new Set(sides.map(({ owner_email }) => owner_email))
  losers.delete(owner)
  const names = new Intl.ListFormat(getLocale(), { type: 'conjunction' }).format(losers)
  return [
    m.admin_approve_wins({ winner: owner }),
    m.admin_approve_over_text({ losers: names }),
    m.admin_approve_final(),
  ]
}

function DisputesSkeleton() {
  return (
    <div className="grid gap-6">
      {['first', 'second'].map((item) => (
        <div key={item} className="grid gap-5 rounded-2xl border border-line bg-surface p-5 sm:p-6">
          <Skeleton className="h-7 w-64 max-w-full" />
          <div className="grid gap-5 md:grid-cols-2">
            <Skeleton className="h-72 rounded-xl" />
            <Skeleton className="h-72 rounded-xl" />
          </div>
          <Skeleton className="h-6 w-48" />
        </div>
      ))}
    </div>
  )
}
