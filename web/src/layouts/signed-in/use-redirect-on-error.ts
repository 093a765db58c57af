import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '~/lib/http/api'
import { currentPath, href } from '~/lib/i18n/i18n'
import { queryClient } from '~/lib/query/query-client'

/**
 * Leaves the page when a query or a mutation fails with a code; the page it leads to comes back here.
 *
 * @param toPage returns the path to go to, from the present one; a constant, because an effect depends on it
 */
export function useRedirectOnError(code: ErrorCode, toPage: (returnTo: string) => string) {
  const navigate = useNavigate()
  useEffect(() => {
    const redirect = (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== code) return
      void navigate(href(toPage(currentPath())), { replace: true })
    }
    const unsubscribeQueries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') redirect(event.action.error)
    })
    const unsubscribeMutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') redirect(event.action.error)
    })
    return () => {
      unsubscribeQueries()
      unsubscribeMutations()
    }
  }, [navigate, code, toPage])
}
