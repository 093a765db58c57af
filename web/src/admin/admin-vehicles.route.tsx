import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { SearchX } from 'lucide-react'
import { useRef } from 'react'
import { type AdminVehicle, listAdminVehicles } from '#contract/admin.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { flattenPages } from '~/lib/query/paged'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { vehicleName } from '~/vehicles/vehicle-name'
import { AdminVehicleCard } from './AdminVehicleCard.tsx'
import { DecisionDialogs } from './DecisionDialogs.tsx'
import { PagedList } from './frame/PagedList.tsx'
import { applyDecisionToVehicles, type Decision } from './optimistic-decisions.ts'
import { vehiclesQuery } from './queries.ts'
import { ResultCount } from './ResultCount.tsx'
import { useConfirmDecision } from './use-confirm-decision.ts'
import { usePendingDecisions } from './use-decide.ts'
import { useSearchParamFilters } from './use-search-param-filters.ts'
import { FILTER_NAMES, parseFilters, VehicleFiltersBar } from './VehicleFiltersBar.tsx'

const FIRST = urlOf(listAdminVehicles, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () =>
  prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(vehiclesQuery({})))

export const meta = () => privatePageMeta(m.admin_vehicles_title())

/** Renders /admin/vehicles: all vehicles, with the filters in the address (requirements §2). */
export default function VehiclesAdminPage() {
  const { inUrl, fieldValues, onType, onChoose, clear } = useSearchParamFilters(FILTER_NAMES)
  const list = useInfiniteQuery({ ...vehiclesQuery(parseFilters(inUrl)), placeholderData: keepPreviousData })
  const vehicles = usePendingDecisions().reduce(applyDecisionToVehicles, flattenPages(list.data))
  const count = useRef<HTMLParagraphElement>(null)
  const { openDialog, decide, dialogs } = useConfirmDecision(count)

  const onDecide = (vehicle: AdminVehicle, action: Decision['action']) => {
    // without a dispute an approval takes the plate from nobody, unless others have registered it since a rejection
    if (action === 'approve' && !vehicle.dispute && vehicle.status !== 'rejected') decide({ action, vehicle })
    else
      openDialog({
        action,
        vehicle,
        text: consequencesOf(vehicle, action),
        affectsOthers: vehicle.dispute !== null,
      })
  }
  return (
    <>
      <PageHeader title={m.admin_vehicles_title()}>{m.admin_vehicles_intro()}</PageHeader>
      <VehicleFiltersBar fieldValues={fieldValues} onType={onType} onChoose={onChoose} />
      <ResultCount
        ref={count}
        text={list.data && m.admin_vehicles_shown({ count: vehicles.length })}
        hidden={vehicles.length === 0}
      />
      <PagedList
        list={list}
        isEmpty={vehicles.length === 0}
        skeleton={<VehiclesSkeleton />}
        empty={
          <EmptyState
            icon={SearchX}
            title={m.admin_vehicles_empty()}
            action={
              FILTER_NAMES.some((name) => inUrl[name] !== '') && (
                <Button onClick={clear}>{m.admin_filters_clear()}</Button>
              )
            }
          />
        }
      >
        <ul
          aria-label={m.admin_vehicles_title()}
          aria-busy={list.isPlaceholderData}
          className={clsx('grid gap-3 transition-opacity', list.isPlaceholderData && 'opacity-60')}
        >
          {vehicles.map((vehicle) => (
            <AdminVehicleCard key={vehicle.id} vehicle={vehicle} onDecide={(action) => onDecide(vehicle, action)} />
          ))}
        </ul>
      </PagedList>
      <DecisionDialogs {...dialogs} />
    </>
  )
}

/** Describes what follows from a decision, for the dialog that confirms it. */
function consequencesOf(vehicle: AdminVehicle, action: Decision['action']): string[] {
  const { owner_email: owner, dispute } = vehicle
  if (action === 'approve') {
    const others = dispute ? m.admin_approve_text() : m.admin_approve_others()
    return [m.admin_approve_wins({ winner: owner }), others, m.admin_approve_final()]
  }
  return [
    m.admin_decide_about({ vehicle: vehicleName(vehicle), owner }),
    action === 'reject' ? m.admin_reject_text() : m.admin_delete_text(),
    ...(dispute ? [m.admin_leaves_dispute()] : []),
  ]
}

function VehiclesSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-5">
      {['first', 'second', 'third'].map((item) => (
        <div
          key={item}
          className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-2xl border border-line bg-surface p-5 sm:grid-cols-[auto_1fr] sm:p-6"
        >
          <Skeleton className="h-22 w-44" />
          <div className="grid grid-cols-1 content-start gap-3">
            <Skeleton className="h-6 w-40" />
            <Skeleton className="h-4 w-24" />
            <Skeleton className="h-6 w-36 rounded-full!" />
            <Skeleton className="h-4 w-56 max-w-full" />
          </div>
          <Skeleton className="h-11 w-full max-w-72 sm:col-span-full" />
        </div>
      ))}
    </div>
  )
}
