import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useRef } from 'react'
import { type AdminVehicle, listAdminVehicles } from '#contract/admin.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { flattenPages } from '~/lib/query/paged'
import { prefetchBeforeRender, queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { vehicleName } from '~/vehicles/vehicle-name'
import { AdminVehicleCard } from './AdminVehicleCard.tsx'
import { DecisionDialogs, useConfirmDecision } from './DecisionDialogs.tsx'
import { applyDecisionToVehicles, type Decision, usePendingDecisions } from './decisions.ts'
import { PagedList } from './frame/PagedList.tsx'
import { vehiclesQuery } from './queries.ts'
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
      <PagedList
        list={list}
        count={m.admin_vehicles_shown({ count: vehicles.length })}
        countRef={count}
        isEmpty={vehicles.length === 0}
        skeleton={<Skeleton className="h-140 rounded-2xl!" />}
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
        <ul aria-label={m.admin_vehicles_title()} className="grid gap-3">
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
