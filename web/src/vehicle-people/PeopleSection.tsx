import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Users } from 'lucide-react'
import { useState } from 'react'
import type { Vehicle } from '#contract/vehicles.ts'
import { m } from '~/paraglide/messages'
import { ErrorState } from '~/ui/ErrorState'
import { Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { peopleQuery } from './queries.ts'

// loaded on demand: most vehicles have one person
const loadPeople = () => import('./VehiclePeople.tsx')

type Props = { vehicle: Vehicle }

/** Unfolds the people of a vehicle in its card; they are open from the start where several people drive it. */
export function PeopleSection({ vehicle }: Props) {
  const [open, setOpen] = useState(vehicle.shared)
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group border-t border-line pt-1.5 sm:col-span-full"
    >
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 rounded-lg font-bold">
        <Users aria-hidden="true" className="size-5 shrink-0 text-pine" />
        {m.people_of_vehicle()}
        <span className="sr-only">{vehicle.plate}</span>
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 group-open:rotate-180" />
      </summary>
      {open && <OpenSection vehicle={vehicle} />}
    </details>
  )
}

function OpenSection({ vehicle }: Props) {
  const { data, error, refetch } = useQuery(peopleQuery(vehicle.id))
  const skeleton = <Skeleton className="my-2 h-32 w-full rounded-xl" />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return skeleton
  return (
    <LoadedPart name="people of a vehicle" load={loadPeople} skeleton={skeleton}>
      {({ VehiclePeople }) => <VehiclePeople vehicle={vehicle} people={data} />}
    </LoadedPart>
  )
}
