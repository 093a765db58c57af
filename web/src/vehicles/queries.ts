import { queryOptions } from '@tanstack/react-query'
import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import { getMakeModels, listVehicles, type Vehicle } from '#contract/vehicles.ts'
import { call } from '~/lib/http/api'

/** All own vehicles, newest first. One account holds a few dozen at most, so the pages are read one after the other. */
export const ownVehiclesQuery = queryOptions({
  queryKey: ['vehicles', 'own'],
  queryFn: async ({ signal }) => {
    const vehicles: Vehicle[] = []
    let cursor: string | undefined
    do {
      const { items, next } = await call(listVehicles, { limit: PAGE_LIMIT_MAX, cursor }, { signal })
      vehicles.push(...items)
      cursor = next ?? undefined
    } while (cursor)
    return vehicles
  },
  refetchOnWindowFocus: 'always', // no notification tells of a dispute that began, or was settled (requirements §3 has five types)
})

/** Makes and their models, in the order to show them in. */
export const catalogueQuery = queryOptions({
  queryKey: ['vehicles', 'catalogue'],
  queryFn: ({ signal }) => call(getMakeModels, {}, { signal }),
  staleTime: 'static', // it changes with a release only; news of a message are no reason to read it again
})
