import { queryOptions } from '@tanstack/react-query'
import { listTags } from '#contract/tags.ts'
import { call } from '~/lib/http/api'

/** Fetches the windshield tags of the user's vehicles. */
export const ownTagsQuery = queryOptions({
  queryKey: ['vehicles', 'tags'],
  queryFn: async ({ signal }) => (await call(listTags, {}, { signal })).items,
})
