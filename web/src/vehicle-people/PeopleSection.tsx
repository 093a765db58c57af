import { useQuery } from '@tanstack/react-query'
import type { Vehicle } from '#contract/vehicles.ts'
import { m } from '~/paraglide/messages'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded, LoadedPart } from '~/ui/signed-in/LoadedPart'
import { peopleQuery } from './queries.ts'

// loaded on demand: most vehicles have one person
const loadPeople = () => import('./VehiclePeople.tsx')

const focusIt = (section: HTMLElement | null) => section?.focus()

type Props = {
  vehicle: Vehicle
  /** Whether its owner is led here to invite a driver. */
  invites: boolean
}

/** Shows the people of a vehicle in its card. Where its owner alone drives it, they have asked for it, and it takes the focus. */
export function PeopleSection({ vehicle, invites }: Props) {
  const skeleton = <Skeleton className="h-32 w-full rounded-xl" />
  return (
    <section
      ref={vehicle.shared ? null : focusIt}
      tabIndex={-1}
      aria-label={`${m.people_of_vehicle()} ${vehicle.plate}`}
      className="col-span-full border-t border-line pt-4 outline-none"
    >
      <Loaded query={useQuery(peopleQuery(vehicle.id))} skeleton={skeleton}>
        {(people) => (
          <LoadedPart name="people of a vehicle" load={loadPeople} skeleton={skeleton}>
            {({ VehiclePeople }) => <VehiclePeople vehicle={vehicle} people={people} invites={invites} />}
          </LoadedPart>
        )}
      </Loaded>
    </section>
  )
}
