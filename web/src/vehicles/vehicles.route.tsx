import { useQuery } from '@tanstack/react-query'
import { CarFront, Info, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { type Vehicle, vehicleCan } from '#contract/vehicles.ts'
import { href, Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { supportMailto } from '~/lib/page/site'
import { CarriedNote } from '~/notes/CarriedNote'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { useLinkedItem } from '~/ui/signed-in/use-linked-item'
import { ownVehiclesQuery, prefetchOwnVehicles } from './queries.ts'
import { isPlateFreeAgain } from './RejectedNotice.tsx'
import { RemoveVehicleDialog, useDeletingVehicleIds, useRemoval } from './RemoveVehicleDialog.tsx'
import { VehicleCard } from './VehicleCard.tsx'

export const handle: RouteHandle = { prefetch: [ownVehiclesQuery] }

export const clientLoader = prefetchOwnVehicles

export const meta = () => privatePageMeta(m.nav_vehicles())

/** Renders /dashboard/vehicles: the user's vehicles, one of which the address can name (`#id`). */
export default function VehiclesPage() {
  const query = useQuery(ownVehiclesQuery)
  const deletingIds = useDeletingVehicleIds()
  const vehicles = query.data?.filter(({ id }) => !deletingIds.includes(id))

  return (
    <>
      <PageHeader title={m.nav_vehicles()} action={vehicles?.length !== 0 && <AddVehicle />}>
        {m.vehicles_intro()}
      </PageHeader>
      <Loaded query={{ ...query, data: vehicles }} skeleton={<Skeleton className="h-140 rounded-2xl!" />}>
        {(loaded) => <OwnVehicles vehicles={loaded} isFetching={query.isFetching} />}
      </Loaded>
    </>
  )
}

function AddVehicle() {
  return (
    <ButtonLink icon={Plus} to={paths.newVehicle()} variant="primary">
      {m.vehicles_add()}
    </ButtonLink>
  )
}

type OwnVehiclesProps = {
  vehicles: Vehicle[]
  /** Whether they are being fetched, for the first time or again. */
  isFetching: boolean
}

function OwnVehicles({ vehicles, isFetching }: OwnVehiclesProps) {
  const linked = useLinkedItem()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const section = useRef<HTMLElement>(null)
  const count = useRef<HTMLParagraphElement>(null)
  const { ask, dialog } = useRemoval()
  const isGone = linked !== null && !vehicles.some(({ id }) => id === linked.id)

  return (
    <section ref={section} aria-label={m.nav_vehicles()} tabIndex={-1} className="grid gap-5 outline-none">
      <CarriedNote />
      <div role="status" className="empty:hidden">
        {isGone && <VehicleNotFound key={linked.visit} isFetching={isFetching} />}
      </div>
      {vehicles.length === 0 ? (
        <EmptyState icon={CarFront} title={m.vehicles_empty_title()} action={<AddVehicle />}>
          {m.vehicles_empty_text()}
        </EmptyState>
      ) : (
        <div className="grid gap-3">
          <p ref={count} tabIndex={-1} className="justify-self-start rounded-sm text-sm text-ink-soft">
            {m.vehicles_count({
              count: vehicles.length,
              active: vehicles.filter((one) => vehicleCan('receiveMessage', one)).length,
            })}
          </p>
          <ul className="grid gap-5">
            {vehicles.map((vehicle) => (
              <VehicleCard
                key={vehicle.id}
                vehicle={vehicle}
                visit={vehicle.id === linked?.id ? linked.visit : null}
                invites={vehicle.id === linked?.id && params.get('invite') === 'driver'}
                canRegisterAgain={isPlateFreeAgain(vehicle, vehicles)}
                onRemove={(reason) => ask(vehicle, reason)}
              />
            ))}
          </ul>
        </div>
      )}
      <p className="text-ink-soft">
        {m.vehicles_invited()}{' '}
        <Link to={paths.invite()} className="link inline-block">
          {m.page_invite()}
        </Link>
      </p>
      <RemoveVehicleDialog
        {...dialog}
        onRemove={({ id }) => {
          if (id === linked?.id) void navigate(href(paths.vehicles()), { replace: true, preventScrollReset: true })
        }}
        // with the last vehicle the count disappears too
        focusAfter={() => (vehicles.some(({ id }) => id !== dialog.removal?.vehicle.id) ? count : section).current}
      />
    </section>
  )
}

/** Says that the linked vehicle is not in the list, once the list has been fetched for this visit. */
function VehicleNotFound({ isFetching }: { isFetching: boolean }) {
  const [confirmed, setConfirmed] = useState(!isFetching)
  if (!confirmed && !isFetching) setConfirmed(true)
  if (!confirmed) return null
  return (
    <p className="flex items-start gap-2 rounded-xl bg-pine-soft p-4">
      <Info aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
      <span>
        {m.vehicles_gone()}{' '}
        <a href={supportMailto(m.nav_vehicles())} className="link inline-block">
          {m.vehicles_gone_ask()}
        </a>
      </span>
    </p>
  )
}
