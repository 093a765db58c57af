import { useEffect } from 'react'
import { paths } from '#contract/paths.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { queryClient } from '~/lib/query/query-client'
import { useRedirectOnError } from './signed-in/use-redirect-on-error.ts'

/** Sends a user who has lost the admin role to the admin log-in, and clears the data of the admin area. */
export function useRedirectOnForbidden() {
  useRedirectOnError('forbidden', paths.adminLogin)
  useEffect(() => () => queryClient.removeQueries({ queryKey: [ADMIN_QUERY_KEY] }), [])
}
