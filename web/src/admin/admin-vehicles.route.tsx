import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { CirclePause, SearchX } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { type AdminVehicle, SEARCH_MAX, type VehicleFilters } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { type VehicleStatus, vehicleCan } from '#contract/vehicles.ts'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { flattenPages } from '~/lib/query/paged'
import { prefetchBeforeRender } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmptyState } from '~/ui/EmptyState'
import { SearchField } from '~/ui/Field'
import { PageHeader } from '~/ui/PageHeader'
import { Plate } from '~/ui/Plate'
import { provinceOptions, Select } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { SpokenName } from '~/ui/SpokenName'
import { VehicleName, vehicleName } from '~/vehicles/vehicle-name'
import { AdminStatusBadge, adminStatusText } from './AdminStatusBadge.tsx'
import { useConfirmDecision } from './DecisionDialogs.tsx'
import { applyDecisionToVehicles, type Decision, usePendingDecisions } from './decisions.ts'
import { PagedList } from './frame/PagedList.tsx'
import { vehiclesQuery } from './queries.ts'
import { useSearchParamFilters } from './use-search-param-filters.ts'

export const handle: RouteHandle = { prefetch: [vehiclesQuery({})] }

export const clientLoader = () => prefetchBeforeRender(vehiclesQuery({}))

export const meta = () => privatePageMeta(m.admin_vehicles_title())

/** Renders /admin/vehicles: all vehicles, with the filters in the address (requirements §2). */
export default function VehiclesAdminPage() {
  const { inUrl, fieldValues, onType, onChoose, clear } = useSearchParamFilters(FILTER_NAMES)
  const list = useInfiniteQuery({ ...vehiclesQuery(parseFilters(inUrl)), placeholderData: keepPreviousData })
  const vehicles = usePendingDecisions().reduce(applyDecisionToVehicles, flattenPages(list.data))
  const count = useRef<HTMLParagraphElement>(null)
  const { openDialog, decide, dialog } = useConfirmDecision(count)

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
      {dialog}
    </>
  )
}

/** Describes what follows from a decision, for the dialog that confirms it. */
function consequencesOf(vehicle: AdminVehicle, action: Decision['action']): ReactNode[] {
  const { owner_email: owner, dispute } = vehicle
  if (action === 'approve') {
    const others = dispute ? m.admin_approve_text() : m.admin_approve_others()
    return [verbatim(m.admin_approve_wins({ winner: owner }), owner), others, m.admin_approve_final()]
  }
  return [
    verbatim(m.admin_decide_about({ vehicle: vehicleName(vehicle), owner }), vehicleName(vehicle), owner),
    action === 'reject' ? m.admin_reject_text() : m.admin_delete_text(),
    ...(dispute ? [m.admin_leaves_dispute()] : []),
  ]
}

/** The filters, by the names of their parameters in the address. */
const FILTER_NAMES = ['plate', 'email', 'province', 'status'] as const
type FilterName = (typeof FILTER_NAMES)[number]

/** The statuses to filter by, in the order of requirements §9. */
const FILTER_STATUSES = ['active', 'pending_verification', 'rejected', 'verified'] as const satisfies VehicleStatus[]

/** Returns the filters to request. An address may contain anything: values that are no filter are left out. */
const parseFilters = ({ plate, email, province, status }: Record<FilterName, string>): VehicleFilters => ({
  plate: plate.slice(0, SEARCH_MAX) || undefined,
  email: email.slice(0, SEARCH_MAX) || undefined,
  province: PROVINCES.find((one) => one === province),
  status: FILTER_STATUSES.find((one) => one === status),
})

type FiltersProps = {
  fieldValues: Record<FilterName, string>
  onType: (name: FilterName, text: string) => void
  onChoose: (name: FilterName, value: string) => void
}

/** Shows the filters above the list of vehicles. */
function VehicleFiltersBar({ fieldValues, onType, onChoose }: FiltersProps) {
  return (
    <search aria-label={m.admin_filters()} className="grid grid-cols-2 items-end gap-x-3 gap-y-4 pb-6 xl:grid-cols-4">
      <SearchField
        maxLength={SEARCH_MAX}
        label={m.admin_filter_plate()}
        value={fieldValues.plate}
        onChange={(event) => onType('plate', event.target.value)}
      />
      <SearchField
        maxLength={SEARCH_MAX}
        label={m.admin_filter_email()}
        inputMode="email"
        value={fieldValues.email}
        onChange={(event) => onType('email', event.target.value)}
      />
      <div className="col-span-2 sm:col-span-1">
        <Select
          label={m.vehicles_province()}
          placeholder={m.admin_stats_all()}
          options={provinceOptions()}
          value={fieldValues.province}
          onChange={(event) => onChoose('province', event.target.value)}
        />
      </div>
      <div className="col-span-2 sm:col-span-1">
        <Select
          label={m.admin_filter_status()}
          placeholder={m.admin_filter_all_statuses()}
          options={FILTER_STATUSES.map((value) => ({ value, label: adminStatusText(value) }))}
          value={fieldValues.status}
          onChange={(event) => onChoose('status', event.target.value)}
        />
      </div>
    </search>
  )
}

type CardProps = { vehicle: AdminVehicle; onDecide: (action: Decision['action']) => void }

const DECISIONS = ['approve', 'reject'] as const

/** Shows one vehicle and what an admin can do to it (requirements §2), as an item of a list. */
function AdminVehicleCard({ vehicle, onDecide }: CardProps) {
  const { id, plate, province, status, user_id, owner_email, dispute, paused } = vehicle
  const title = useId()
  const hiddenPlate = <SpokenName of={plate} />
  return (
    <li id={id} tabIndex={-1} aria-labelledby={title} className="rounded-2xl">
      <Card className="grid gap-x-6 gap-y-4 sm:grid-cols-[auto_1fr] sm:items-start lg:grid-cols-[auto_1fr_auto]">
        <Plate plate={plate} province={province} className="justify-self-start" />
        <div className="grid min-w-0 justify-items-start gap-1.5">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h2 id={title} className="text-xl font-bold">
              <VehicleName of={vehicle} />
            </h2>
            <p className="text-ink-soft">{provinceName(province, getLocale())}</p>
          </div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <AdminStatusBadge status={status} />
            {paused && <Badge icon={CirclePause}>{m.vehicles_status_paused()}</Badge>}
            {dispute && (
              <Link to={paths.adminInbox('dispute')} className="link py-1">
                {m.admin_dispute_see()}
                {hiddenPlate}
              </Link>
            )}
          </div>
          <Link to={paths.adminUser(user_id)} translate="no" className="link py-1">
            {owner_email}
          </Link>
        </div>
        {/* below everything on smaller screens, beside the details where there is room; in one line of a phone, in French too: no icons */}
        <div className="flex flex-wrap gap-x-2 gap-y-2 sm:col-span-full sm:gap-x-3 lg:col-auto">
          {DECISIONS.filter((action) => vehicleCan(action, vehicle)).map((action) => (
            <Button key={action} className="px-2.5! sm:px-4!" onClick={() => onDecide(action)}>
              {action === 'approve' ? m.admin_approve() : m.admin_reject()}
              {hiddenPlate}
            </Button>
          ))}
          <Button variant="delete" className="ml-auto" onClick={() => onDecide('delete')}>
            {m.vehicles_delete()}
            {hiddenPlate}
          </Button>
        </div>
      </Card>
    </li>
  )
}
