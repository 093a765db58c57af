import { queryOptions } from '@tanstack/react-query'
import { getPerson } from '#contract/people.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { call } from '~/lib/http/api'

export const personKey = (id: string) => [ADMIN_QUERY_KEY, 'person', id]

/** Fetches a person as admins see them. */
export const personQuery = (id: string) =>
  queryOptions({ queryKey: personKey(id), queryFn: ({ signal }) => call(getPerson, { id }, { signal }) })
