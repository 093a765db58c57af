import { queryOptions } from '@tanstack/react-query'
import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import { getMakeModels, listVehicles, type Vehicle } from '#contract/vehicles.ts'
import { call, urlOf } from '~/lib/http/api'
import { endpointQuery } from '~/lib/query/paged'
import { prefetchBeforeRender } from '~/lib/query/query-client'

/** Fetches all vehicles of the user, newest first: page after page, since an account has a few dozen at most. */
export const ownVehiclesQuery = queryOptions({
  queryKey: ['vehicles', 'own'],
  meta: { url: urlOf(listVehicles, { limit: PAGE_LIMIT_MAX }) }, // the first page
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
  refetchOnWindowFocus: 'always', // no notification says that a dispute has begun or ended (requirements §3 has five types)
})

/** The clientLoader of pages that show own vehicles. */
export const prefetchOwnVehicles = () => prefetchBeforeRender(ownVehiclesQuery)

/** Fetches the makes and their models, in the order to show them. */
export const catalogueQuery = {
  ...endpointQuery(['vehicles', 'catalogue'], getMakeModels, {}),
  staleTime: 'static' as const, // it changes only with a release, so no live update is a reason to fetch it again
}
