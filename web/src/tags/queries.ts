import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { createTag, listTags } from '#contract/tags.ts'
import { call } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'

/** Fetches the windshield tags of the user's vehicles. */
export const ownTagsQuery = queryOptions({
  queryKey: ['vehicles', 'tags'],
  queryFn: async ({ signal }) => (await call(listTags, {}, { signal })).items,
})

/** Makes the tag of a vehicle; one that it had is dead at once. */
export function useMakeTag(vehicleId: string) {
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: () => call(createTag, { id: vehicleId }, { withTimeout: true }),
    onSuccess: (tag) =>
      queries.setQueryData(ownTagsQuery.queryKey, (tags) => [
        ...(tags ?? []).filter(({ vehicle_id }) => vehicle_id !== vehicleId),
        { ...tag, vehicle_id: vehicleId },
      ]),
    onError: toast.error,
    onSettled: () => void queries.invalidateQueries({ queryKey: ownTagsQuery.queryKey }),
  })
}
