import { ChevronDown, KeyRound, LogOut, UserMinus, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import type { VehiclePeople as People, VehiclePerson } from '#contract/vehicle-people.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { formatDate, formatDateTime } from '~/lib/dates/dates'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Select } from '~/ui/Select'
import { ConfirmButton } from '~/ui/signed-in/ConfirmDialog'
import { InviteDriver } from './InviteDriver.tsx'
import { type PeopleActions, usePeopleActions } from './use-people-actions.ts'

type Props = { vehicle: Vehicle; people: People; invites: boolean }

/** Shows the people of a vehicle to each of them: who has the car, who they are, and for the owner how others join. */
export function VehiclePeople({ vehicle, people, invites }: Props) {
  const actions = usePeopleActions(vehicle.id, vehicle.plate)
  const list = useRef<HTMLUListElement>(null)
  const isOwner = vehicle.role === 'owner'
  const invite = isOwner && <InviteDriver people={people} actions={actions} startsAsking={invites} />
  if (people.items.length <= 1)
    return (
      <div className="grid gap-5">
        <p className="max-w-prose text-ink-soft">{m.people_alone()}</p>
        {invite}
      </div>
    )
  return (
    <div className="grid gap-2">
      <Holder people={people} isOwner={isOwner} actions={actions} />
      <details className="group" open={invites}>
        <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 rounded-lg font-bold">
          <Users aria-hidden="true" className="size-5 shrink-0 text-pine" />
          {m.people_of_vehicle()}
          <span className="sr-only">{vehicle.plate}</span>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0 group-open:rotate-180" />
        </summary>
        <div className="grid gap-5 py-2">
          <ul ref={list} tabIndex={-1} className="grid divide-y divide-line outline-none">
            {people.items.map((person) => (
              <PersonItem
                key={person.id}
                person={person}
                isOwner={isOwner}
                actions={actions}
                focusAfter={() => list.current}
              />
            ))}
          </ul>
          {invite}
        </div>
      </details>
    </div>
  )
}

type ItemProps = {
  person: VehiclePerson
  isOwner: boolean
  actions: PeopleActions
  /** Returns what gets the focus once the item is gone. */
  focusAfter: () => HTMLElement | null
}

function PersonItem({ person, isOwner, actions, focusAfter }: ItemProps) {
  const { id, role, name, email, is_me, has_car, joined_at } = person
  const { remove, leave } = actions
  const shown = name ?? email
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 first:pt-0">
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-bold wrap-anywhere">
          {is_me ? m.people_me({ name: shown }) : shown}
          {has_car && (
            <Badge tone="good" icon={KeyRound}>
              {m.people_has_car()}
            </Badge>
          )}
        </p>
        {name !== null && <p className="text-sm wrap-anywhere text-ink-soft">{email}</p>}
        <p className="text-sm text-ink-soft">
          {role === 'owner' ? m.people_owner() : m.people_driver_since({ date: formatDate(joined_at) })}
        </p>
      </div>
      {is_me && role === 'driver' && (
        <Button pending={leave.isPending} onClick={() => leave.mutate(id)}>
          {!leave.isPending && <LogOut aria-hidden="true" className="size-5" />}
          {m.people_leave()}
        </Button>
      )}
      {isOwner && !is_me && (
        <ConfirmButton
          variant="ghost"
          className="text-danger!"
          confirm={{
            title: m.people_remove_title({ name: shown }),
            description: m.people_remove_text(),
            confirmText: m.people_remove(),
            onConfirm: () => remove.mutateAsync(id),
            focusAfter,
          }}
        >
          <UserMinus aria-hidden="true" className="size-5" />
          {m.people_remove()}
          <span className="sr-only">{shown}</span>
        </ConfirmButton>
      )}
    </li>
  )
}

type HolderProps = { people: People; isOwner: boolean; actions: PeopleActions }

/** Says who has the car, whom messages reach first, and changes it by one tap. */
function Holder({ people, isOwner, actions }: HolderProps) {
  const { take, release } = actions
  const [hours, setHours] = useState('')
  const holder = people.items.find(({ has_car }) => has_car)
  const until = people.holder_until
  const text = !holder
    ? m.people_nobody_has_car()
    : holder.is_me
      ? until
        ? m.people_i_have_car_until({ time: formatDateTime(until) })
        : m.people_i_have_car()
      : until
        ? m.people_other_has_car_until({ name: holder.name ?? holder.email, time: formatDateTime(until) })
        : m.people_other_has_car({ name: holder.name ?? holder.email })
  return (
    <div className="grid gap-4 rounded-xl bg-pine-soft p-4">
      <p role="status" className="max-w-prose font-semibold">
        {text}
      </p>
      <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:items-end">
        {!holder?.is_me && (
          <>
            <div className="sm:w-60">
              <Select
                label={m.people_how_long()}
                value={hours}
                onChange={(event) => setHours(event.target.value)}
                options={[
                  { value: '', label: m.people_until_changed() },
                  { value: '2', label: m.people_hours({ count: 2 }) },
                  { value: '8', label: m.people_hours({ count: 8 }) },
                  { value: '24', label: m.people_hours({ count: 24 }) },
                ]}
              />
            </div>
            <Button
              variant="primary"
              pending={take.isPending}
              onClick={() => take.mutate(hours === '' ? null : Number(hours))}
            >
              {!take.isPending && <KeyRound aria-hidden="true" className="size-5" />}
              {m.people_take()}
            </Button>
          </>
        )}
        {holder && (holder.is_me || isOwner) && (
          <Button pending={release.isPending} onClick={() => release.mutate()}>
            {holder.is_me ? m.people_release() : m.people_clear()}
          </Button>
        )}
      </div>
    </div>
  )
}
