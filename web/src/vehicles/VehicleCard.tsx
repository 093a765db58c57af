import { useMutation } from '@tanstack/react-query'
import clsx from 'clsx'
import { CirclePause, Play, QrCode, Trash2, Users } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { updateVehicle, type Vehicle, vehicleCan } from '#contract/vehicles.ts'
import { call } from '~/lib/http/api'
import { verbatim } from '~/lib/i18n/verbatim'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'
import { SpokenName } from '~/ui/SpokenName'
import { Menu, MenuButton, MenuLink } from '~/ui/signed-in/Menu'
import { PeopleSection } from '~/vehicle-people/PeopleSection'
import { DisputeNotice } from './DisputeNotice.tsx'
import { ownVehiclesQuery } from './queries.ts'
import { isRejected, RejectedNotice } from './RejectedNotice.tsx'
import type { RemovalReason } from './RemoveVehicleDialog.tsx'
import { VehicleStatusBadge } from './VehicleStatusBadge.tsx'
import { VehicleName } from './vehicle-name.ts'

type Props = {
  vehicle: Vehicle
  /**
   * Set when the address names this vehicle, and different at each visit, which scrolls the card into view and marks
   * it.
   */
  visit: string | null
  /** Whether the address opens its people, to invite a driver. */
  invites: boolean
  canRegisterAgain: boolean
  onRemove: (reason: RemovalReason) => void
}

/** Shows one of the user's vehicles, as an item of a list: with the one action that its status asks for, and a menu for the rest. */
export function VehicleCard({ vehicle, visit, invites, canRegisterAgain, onRemove }: Props) {
  const { id, plate, province, status, paused, dispute } = vehicle
  const isOwner = vehicle.role === 'owner'
  const rejected = isRejected(vehicle)
  const title = useId()
  const pause = usePauseVehicle(vehicle)
  const [showsPeople, setShowsPeople] = useState(vehicle.shared || invites) // it stays when the last driver leaves
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (visit === null || invites) return // the field to type in takes the focus
    item.current?.focus({ preventScroll: true })
    item.current?.scrollIntoView({ block: 'start' })
  }, [visit, invites])

  const isWorking = !rejected && !paused && !dispute
  const offersTag = isOwner && isWorking && !vehicle.shared // who shares it says first who has it
  const isPauseShown = isOwner && paused && !rejected && !dispute
  const mayHavePeople = !rejected && (vehicle.shared || vehicleCan('receiveMessage', vehicle))
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
          'grid grid-cols-[auto_1fr_auto] grid-rows-[auto_1fr] items-start gap-x-3 gap-y-4 max-[18rem]:gap-x-1 sm:grid-cols-[auto_1fr_auto_auto] sm:gap-x-6',
          visit !== null && 'ring-3 ring-pine',
        )}
      >
        <Plate
          plate={plate}
          province={province}
          className="col-start-1 row-span-2 row-start-1 max-sm:w-[min(7rem,35vw)]! max-[18rem]:row-span-1"
        />
        <h2
          id={title}
          className="col-start-2 row-start-1 -mb-2.5 min-w-0 text-lg leading-snug font-bold max-[18rem]:col-span-full max-[18rem]:row-start-2 sm:text-xl"
        >
          <VehicleName of={vehicle} />
        </h2>
        <div className="col-start-2 col-end-4 row-start-2 grid justify-items-start gap-1.5 max-[18rem]:col-span-full max-[18rem]:row-start-3 sm:col-end-3">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <VehicleStatusBadge status={status} paused={paused && !rejected} isNamed />
          </div>
          {!isOwner && <p className="text-sm text-ink-soft">{m.vehicles_driven()}</p>}
        </div>
        {offersTag && (
          <ButtonLink
            icon={QrCode}
            to={paths.windshieldTag(id)}
            className="max-sm:col-span-full max-sm:row-start-3 max-[18rem]:row-start-4 sm:col-start-3 sm:row-span-2 sm:row-start-1"
          >
            {m.windshield_title()}
            <SpokenName of={plate} />
          </ButtonLink>
        )}
        {isOwner && (
          <div
            // level with the name, or with the button beside it
            className={clsx('col-start-3 row-start-1 -m-2 -mb-4 sm:col-start-4', offersTag && 'sm:mt-0 sm:-mb-6')}
          >
            <Menu about={verbatim(plate, plate)}>
              {!rejected && !offersTag && (
                <MenuLink icon={QrCode} to={paths.windshieldTag(id)}>
                  {m.windshield_title()}
                </MenuLink>
              )}
              {mayHavePeople && !vehicle.shared && (
                <MenuButton icon={Users} onClick={() => setShowsPeople(true)}>
                  {m.people_of_vehicle()}
                </MenuButton>
              )}
              {!rejected && !isPauseShown && (
                <MenuButton icon={paused ? Play : CirclePause} onClick={() => pause.mutate(!paused)}>
                  {paused ? m.vehicles_resume() : m.vehicles_pause()}
                </MenuButton>
              )}
              <MenuButton icon={Trash2} danger onClick={() => onRemove('deleted')}>
                {m.vehicles_delete()}
              </MenuButton>
            </Menu>
          </div>
        )}
        {dispute && <DisputeNotice vehicle={vehicle} dispute={dispute} />}
        {isPauseShown && <PausedNotice plate={plate} pending={pause.isPending} onResume={() => pause.mutate(false)} />}
        {isOwner && rejected && <RejectedNotice vehicle={vehicle} canRegisterAgain={canRegisterAgain} />}
        {mayHavePeople && (vehicle.shared || showsPeople) && <PeopleSection vehicle={vehicle} invites={invites} />}
      </Card>
    </li>
  )
}

/** Says that nobody reaches the owner about a vehicle, and ends that with one tap. */
function PausedNotice({ plate, pending, onResume }: { plate: string; pending: boolean; onResume: () => void }) {
  return (
    <div className="col-span-full grid gap-3 rounded-xl bg-sunken p-4 sm:grid-cols-[1fr_auto] sm:items-center sm:gap-6">
      <div className="grid gap-1">
        <p className="font-bold">{m.vehicles_paused_text()}</p>
        <p className="max-w-prose text-sm text-ink-soft">{m.vehicles_paused_hint()}</p>
      </div>
      <Button icon={Play} variant="primary" pending={pending} onClick={onResume}>
        {m.vehicles_resume()}
        <SpokenName of={plate} />
      </Button>
    </div>
  )
}

/** Pauses a vehicle of the user, or ends its pause. Its card then gets the focus, as the button in use is gone. */
function usePauseVehicle({ id, plate }: Pick<Vehicle, 'id' | 'plate'>) {
  return useMutation({
    mutationFn: (paused: boolean) => call(updateVehicle, { id, paused }),
    onSuccess: (changed) => {
      queryClient.setQueryData(ownVehiclesQuery.queryKey, (vehicles) =>
        vehicles?.map((vehicle) => (vehicle.id === id ? changed : vehicle)),
      )
      toast.success(
        verbatim(changed.paused ? m.vehicles_paused_done({ plate }) : m.vehicles_resumed_done({ plate }), plate),
      )
      document.getElementById(id)?.focus({ preventScroll: true })
    },
    // also after a failure: it may have been paused, or removed, on another device
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['vehicles'] })
      void queryClient.invalidateQueries({ queryKey: ['dashboard'] })
    },
  })
}
