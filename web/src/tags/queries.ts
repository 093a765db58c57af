import { queryOptions, useMutation } from '@tanstack/react-query'
import { createTag, listTags } from '#contract/tags.ts'
import { call, urlOf } from '~/lib/http/api'
import { queryClient } from '~/lib/query/query-client'

/** Fetches the windshield tags of the user's vehicles. */
export const ownTagsQuery = queryOptions({
  queryKey: ['vehicles', 'tags'],
  meta: { url: urlOf(listTags, {}) },
  queryFn: async ({ signal }) => (await call(listTags, {}, { signal })).items,
})

/** Makes the tag of a vehicle; one that it had is dead at once. */
export function useMakeTag(vehicleId: string) {
  return useMutation({
    mutationFn: () => call(createTag, { id: vehicleId }, { withTimeout: true }),
    onSuccess: (tag) =>
      queryClient.setQueryData(ownTagsQuery.queryKey, (tags) => [
        ...(tags ?? []).filter(({ vehicle_id }) => vehicle_id !== vehicleId),
        { ...tag, vehicle_id: vehicleId },
      ]),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ownTagsQuery.queryKey }),
  })
}
