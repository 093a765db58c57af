import { queryOptions } from '@tanstack/react-query'
import { listVehiclePeople } from '#contract/vehicle-people.ts'
import { call } from '~/lib/http/api'

/** Fetches everybody of a vehicle, and who has the car. */
export const peopleQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['vehicles', 'people', vehicleId],
    queryFn: ({ signal }) => call(listVehiclePeople, { id: vehicleId }, { signal }),
    refetchOnWindowFocus: 'always', // nothing says that somebody has left or has taken the car
  })
