import { useQuery } from '@tanstack/react-query'
import { CarFront, Info, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { href } from '~/lib/i18n'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { ownVehicles } from './queries.ts'
import { useDeleteVehicle, useVehiclesBeingDeleted } from './use-delete-vehicle.ts'
import { VehicleCard } from './VehicleCard.tsx'

/** /dashboard/vehicles: the own vehicles; the hash of the address names one of them. */
export function VehiclesPage() {
  const { data, error, refetch } = useQuery(ownVehicles)
  const leaving = useVehiclesBeingDeleted()
  const vehicles = data?.filter(({ id }) => !leaving.includes(id))

  return (
    <>
      <PageHeader title={m.nav_vehicles()} action={vehicles?.length !== 0 && <AddVehicle />}>
        {m.vehicles_intro()}
      </PageHeader>
      {vehicles ? (
        <OwnVehicles vehicles={vehicles} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <VehiclesLoading />
      )}
    </>
  )
}

function AddVehicle() {
  return (
    <ButtonLink to={paths.newVehicle()} variant="primary">
      <Plus aria-hidden="true" className="size-5" />
      {m.vehicles_add()}
    </ButtonLink>
  )
}

function OwnVehicles({ vehicles }: { vehicles: Vehicle[] }) {
  const markedId = useLocation().hash.slice(1)
  const navigate = useNavigate()
  const { mutate } = useDeleteVehicle()
  const [asked, setAsked] = useState<Vehicle>()
  const [open, setOpen] = useState(false)
  const section = useRef<HTMLElement>(null)
  const count = useRef<HTMLParagraphElement>(null)
  const deleted = useRef(false)

  const ask = (vehicle: Vehicle) => {
    deleted.current = false
    setAsked(vehicle)
    setOpen(true)
  }
  const confirm = () => {
    if (!asked) return
    deleted.current = true
    setOpen(false)
    mutate(asked)
    if (asked.id === markedId) void navigate(href(paths.vehicles()), { replace: true, preventScrollReset: true })
  }

  return (
    <section ref={section} aria-label={m.nav_vehicles()} className="grid gap-5">
      {markedId && !vehicles.some(({ id }) => id === markedId) && (
        <p className="flex items-start gap-2 rounded-xl bg-pine-soft p-4">
          <Info aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
          {m.vehicles_gone()}
        </p>
      )}
      {vehicles.length === 0 ? (
        <EmptyState icon={CarFront} title={m.vehicles_empty_title()} action={<AddVehicle />}>
          {m.vehicles_empty_text()}
        </EmptyState>
      ) : (
        <div className="grid gap-3">
          <p ref={count} tabIndex={-1} className="justify-self-start rounded-sm text-sm text-ink-soft">
            {m.vehicles_count({ count: vehicles.length })}
          </p>
          <ul className="grid gap-5">
            {vehicles.map((vehicle) => (
              <VehicleCard
                key={vehicle.id}
                vehicle={vehicle}
                marked={vehicle.id === markedId}
                onDelete={() => ask(vehicle)}
              />
            ))}
          </ul>
        </div>
      )}
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={m.vehicles_delete_title({ plate: asked?.plate ?? '' })}
        description={m.vehicles_delete_text()}
        confirmText={m.vehicles_delete_confirm()}
        onConfirm={confirm}
        // the button that was pressed left with its card; the last card gone, the way to add one is next
        finalFocus={() => (deleted.current ? (count.current ?? section.current) : true)}
      />
    </section>
  )
}

function VehiclesLoading() {
  return (
    <Loading>
      <div className="grid gap-5">
        {['first', 'second'].map((place) => (
          <div
            key={place}
            className="grid gap-x-6 gap-y-4 rounded-2xl border border-line bg-surface p-5 sm:grid-cols-[auto_1fr] sm:p-6"
          >
            <Skeleton className="h-22 w-44" />
            <div className="grid content-start gap-3">
              <Skeleton className="h-6 w-40" />
              <Skeleton className="h-4 w-24" />
              <Skeleton className="h-6 w-20 rounded-full!" />
              <Skeleton className="h-3.5 w-36" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  )
}
