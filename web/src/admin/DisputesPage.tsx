import { useInfiniteQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useRef } from 'react'
import type { AdminDispute, DisputeSide } from '#contract/admin.ts'
import { getLocale } from '~/lib/i18n'
import { m } from '~/paraglide/messages'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { vehicleName } from '~/vehicles/vehicle-name'
import { DecisionDialogs } from './DecisionDialogs.tsx'
import { DisputeCard, type SideDecision } from './DisputeCard.tsx'
import { disputesAfter, samePlate } from './decisions.ts'
import { disputesQuery, itemsOf } from './list-queries.ts'
import { PagedList } from './PagedList.tsx'
import { ShownCount } from './ShownCount.tsx'
import { useAsked } from './use-asked.ts'
import { useDecisionsUnderWay } from './use-decide.ts'
import { useMarkDocuments, useMarksUnderWay, withMarks } from './use-mark-documents.ts'

/** /admin/disputes: both sides of every open dispute, to decide whose the plate is (spec §4, design decisions 3 to 5). */
export function DisputesPage() {
  const list = useInfiniteQuery(disputesQuery)
  const marked = withMarks(itemsOf(list.data), useMarksUnderWay())
  const disputes = useDecisionsUnderWay().reduce(disputesAfter, marked)
  const markDocuments = useMarkDocuments()
  const count = useRef<HTMLParagraphElement>(null)
  const { ask, dialogs } = useAsked(count)

  return (
    <>
      <PageHeader title={m.admin_disputes_title()}>{m.admin_disputes_intro()}</PageHeader>
      <ShownCount
        ref={count}
        text={list.data && m.admin_disputes_shown({ count: disputes.length })}
        hidden={disputes.length === 0}
      />
      <PagedList
        list={list}
        isEmpty={disputes.length === 0}
        skeleton={<DisputesLoading />}
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
              onDecide={(what, side) =>
                ask({
                  what,
                  vehicle: { id: side.vehicle_id, plate: side.plate, province: dispute.province },
                  text: consequence(what, side, dispute, disputes),
                  overOthers: true,
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

/** What follows from a decision, for the dialog that asks: who gets the plate, and who loses it. */
function consequence(what: SideDecision, side: DisputeSide, dispute: AdminDispute, all: AdminDispute[]): string[] {
  const owner = side.owner_email
  if (what === 'reject') {
    const about = m.admin_decide_about({ vehicle: vehicleName(side), owner })
    return [about, m.admin_reject_text(), m.admin_leaves_dispute()]
  }
  const sides = all.filter((other) => samePlate(other, dispute)).flatMap((other) => [other.incumbent, other.challenger])
  const losers = new Set(sides.map(({ owner_email }) => owner_email))
  losers.delete(owner)
  const names = new Intl.ListFormat(getLocale(), { type: 'conjunction' }).format(losers)
  return [
    m.admin_approve_wins({ winner: owner }),
    m.admin_approve_over_text({ losers: names }),
    m.admin_approve_final(),
  ]
}

function DisputesLoading() {
  return (
    <div className="grid gap-6">
      {['first', 'second'].map((place) => (
        <div key={place} className="grid gap-5 rounded-2xl border border-line bg-surface p-5 sm:p-6">
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
