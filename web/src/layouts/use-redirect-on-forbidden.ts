import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { ApiError } from '~/lib/http/api'
import { currentPath, href } from '~/lib/i18n/i18n'
import { queryClient } from '~/lib/query/query-client'

/** Sends a user who has lost the admin role to the admin log-in, and clears the data of the admin area. */
export function useRedirectOnForbidden() {
  const navigate = useNavigate()
  useEffect(() => {
    const redirectIfForbidden = (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'forbidden') return
      void navigate(href(paths.adminLogin(currentPath())), { replace: true })
    }
    const unsubscribeQueries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') redirectIfForbidden(event.action.error)
    })
    const unsubscribeMutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') redirectIfForbidden(event.action.error)
    })
    return () => {
      unsubscribeQueries()
      unsubscribeMutations()
      queryClient.removeQueries({ queryKey: [ADMIN_QUERY_KEY] })
    }
  }, [navigate])
}
