import { useMutation, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { CirclePause, Play, QrCode, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { provinceName } from '#contract/provinces.ts'
import { updateVehicle, type Vehicle, vehicleCan } from '#contract/vehicles.ts'
import { formatDate } from '~/lib/dates/dates'
import { call } from '~/lib/http/api'
import { getLocale } from '~/lib/i18n/i18n'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'
import { PeopleSection } from '~/vehicle-people/PeopleSection'
import { DisputeNotice } from './DisputeNotice.tsx'
import { ownVehiclesQuery } from './queries.ts'
import { isRejected, RejectedNotice } from './RejectedNotice.tsx'
import type { RemovalReason } from './use-remove-vehicle.ts'
import { VehicleStatusBadge } from './VehicleStatusBadge.tsx'
import { vehicleName } from './vehicle-name.ts'

type Props = {
  vehicle: Vehicle
  /**
   * Set when the address names this vehicle, and different at each visit, which scrolls the card into view and marks
   * it.
   */
  visit: string | null
  canRegisterAgain: boolean
  onRemove: (reason: RemovalReason) => void
}

/** Shows one of the user's vehicles, as an item of a list. */
export function VehicleCard({ vehicle, visit, canRegisterAgain, onRemove }: Props) {
  const { id, plate, province, status, created_at } = vehicle
  const isOwner = vehicle.role === 'owner'
  const title = useId()
  const pause = usePauseVehicle(vehicle)
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (visit === null) return
    item.current?.focus({ preventScroll: true })
    item.current?.scrollIntoView({ block: 'start' })
  }, [visit])

  return (
    <li
      ref={item}
      id={id}
      tabIndex={-1}
      aria-labelledby={title}
      className="scroll-mt-20 rounded-2xl outline-none lg:scroll-mt-6"
    >
      <Card
        className={clsx(
          'grid gap-x-6 gap-y-4 sm:grid-cols-[auto_1fr_auto] sm:items-start',
          visit !== null && 'ring-3 ring-pine',
        )}
      >
        <Plate plate={plate} province={province} className="justify-self-start" />
        <div className="grid justify-items-start gap-1.5">
          <h2 id={title} className="text-xl font-bold">
            {vehicleName(vehicle)}
          </h2>
          <p className="text-ink-soft">{provinceName(province, getLocale())}</p>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-1">
            <VehicleStatusBadge status={status} paused={vehicle.paused && !isRejected(vehicle)} />
            {status === 'verified' && (
              <p className="text-sm font-semibold text-good">{m.vehicles_verified_user({ product: PRODUCT })}</p>
            )}
          </div>
          <p className="text-sm text-ink-soft">
            {isOwner ? m.vehicles_added_on({ date: formatDate(created_at) }) : m.vehicles_driven()}
          </p>
        </div>
        {isOwner && <VehicleActions vehicle={vehicle} pause={pause} onRemove={onRemove} />}
        {isOwner && vehicle.paused && !isRejected(vehicle) && (
          <PausedNotice plate={plate} pending={pause.isPending} onResume={() => pause.mutate(false)} />
        )}
        {vehicle.dispute && <DisputeNotice vehicle={vehicle} dispute={vehicle.dispute} onRemove={onRemove} />}
        {isOwner && isRejected(vehicle) && <RejectedNotice vehicle={vehicle} canRegisterAgain={canRegisterAgain} />}
        {!isRejected(vehicle) && (vehicle.shared || vehicleCan('receiveMessage', vehicle)) && (
          <PeopleSection vehicle={vehicle} />
        )}
      </Card>
    </li>
  )
}

type ActionsProps = Pick<Props, 'vehicle' | 'onRemove'> & { pause: ReturnType<typeof usePauseVehicle> }

/** Offers what only the owner may do: beside the name where there is room, else below everything, out of the way of the thumb. */
function VehicleActions({ vehicle, pause, onRemove }: ActionsProps) {
  const { id, plate } = vehicle
  return (
    <div className="order-last -mb-3 flex flex-wrap justify-between border-t border-line pt-1.5 sm:order-none sm:-mt-2 sm:-mr-3 sm:mb-0 sm:flex-col sm:items-start sm:border-0 sm:pt-0">
      {!vehicle.paused && !isRejected(vehicle) && (
        <Button variant="ghost" className="-ml-4 sm:ml-0" pending={pause.isPending} onClick={() => pause.mutate(true)}>
          {!pause.isPending && <CirclePause aria-hidden="true" className="size-5" />}
          {m.vehicles_pause()}
          <span className="sr-only">{plate}</span>
        </Button>
      )}
      {!isRejected(vehicle) && (
        <ButtonLink to={paths.windshieldTag(id)} variant="ghost" className="max-sm:order-last max-sm:-ml-4">
          <QrCode aria-hidden="true" className="size-5" />
          {m.windshield_title()}
          <span className="sr-only">{plate}</span>
        </ButtonLink>
      )}
      <Button variant="ghost" className="text-danger! max-sm:first:-ml-4" onClick={() => onRemove('deleted')}>
        <Trash2 aria-hidden="true" className="size-5" />
        {m.vehicles_delete()}
        <span className="sr-only">{plate}</span>
      </Button>
    </div>
  )
}

type PausedNoticeProps = { plate: string; pending: boolean; onResume: () => void }

/** Says that nobody reaches the owner about a vehicle, and ends that with one tap. */
function PausedNotice({ plate, pending, onResume }: PausedNoticeProps) {
  return (
    <div className="grid gap-3 rounded-xl bg-sunken p-4 sm:col-span-full sm:grid-cols-[1fr_auto] sm:items-center sm:gap-6">
      <div className="grid gap-1">
        <p className="flex items-start gap-2 font-bold">
          <CirclePause aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          {m.vehicles_paused_text()}
        </p>
        <p className="max-w-prose text-sm text-ink-soft">{m.vehicles_paused_hint()}</p>
      </div>
      <Button variant="primary" pending={pending} onClick={onResume}>
        {!pending && <Play aria-hidden="true" className="size-5" />}
        {m.vehicles_resume()}
        <span className="sr-only">{plate}</span>
      </Button>
    </div>
  )
}

/** Pauses a vehicle of the user, or ends its pause. Its card then gets the focus, as the button in use is gone. */
function usePauseVehicle({ id, plate }: Pick<Vehicle, 'id' | 'plate'>) {
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always', // without a connection it fails at once and says so, instead of pausing hours later
    mutationFn: (paused: boolean) => call(updateVehicle, { id, paused }),
    onSuccess: (changed) => {
      queries.setQueryData(ownVehiclesQuery.queryKey, (vehicles) =>
        vehicles?.map((vehicle) => (vehicle.id === id ? changed : vehicle)),
      )
      toast.success(changed.paused ? m.vehicles_paused_done({ plate }) : m.vehicles_resumed_done({ plate }))
      document.getElementById(id)?.focus({ preventScroll: true })
    },
    onError: toast.error,
    // also after a failure: it may have been paused, or removed, on another device
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['vehicles'] })
      void queries.invalidateQueries({ queryKey: ['dashboard'] })
    },
  })
}
