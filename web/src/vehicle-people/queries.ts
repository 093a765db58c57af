import { queryOptions } from '@tanstack/react-query'
import { listVehiclePeople } from '#contract/vehicle-people.ts'
import { call } from '~/lib/http/api'

/** Fetches the owner and the drivers of a vehicle, and who has the car. */
export const peopleQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['vehicles', 'people', vehicleId],
    queryFn: ({ signal }) => call(listVehiclePeople, { id: vehicleId }, { signal }),
    refetchOnWindowFocus: 'always', // there is no notification when somebody leaves or takes the car
  })
