import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { VehiclePeople } from '#contract/vehicle-people.ts'
import { formatDateTime } from '~/lib/dates/dates'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Select } from '~/ui/Select'
import type { PeopleActions } from './use-people-actions.ts'

type Props = { people: VehiclePeople; isOwner: boolean; actions: PeopleActions }

/** Says who has the car, whom messages reach first, and changes it by one tap. */
export function Holder({ people, isOwner, actions }: Props) {
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
