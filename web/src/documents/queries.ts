import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listDocuments } from '#contract/documents.ts'
import { call } from '~/lib/http/api'

/**
 * Fetches what has arrived of the documents for a vehicle in a dispute, when it comes on the screen. No live update is a reason to
 * fetch it again: it may say that the vehicle is gone.
 */
export const documentsQuery = (vehicleId: string) =>
  queryOptions({
    queryKey: ['documents', vehicleId],
    queryFn: ({ signal }) => call(listDocuments, { id: vehicleId }, { signal }),
    staleTime: 'static',
    gcTime: 0,
  })

/** Fetches it again, after something was sent or taken back. */
export const reloadDocuments = (queries: QueryClient, vehicleId: string): void =>
  void queries.fetchQuery({ ...documentsQuery(vehicleId), staleTime: 0 }).catch(() => {})
