import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '~/lib/http/api'
import { currentPath, href } from '~/lib/i18n/i18n'
import { queryClient } from '~/lib/query/query-client'

/**
 * Leaves the page when a query or a mutation fails with one of these codes; the page it leads to comes back here.
 *
 * @param pages returns the path to go to, from the present one, by code; a constant, because an effect depends on it
 */
export function useRedirectOnError(pages: { [code in ErrorCode]?: (returnTo: string) => string }) {
  const navigate = useNavigate()
  useEffect(() => {
    const redirect = (error: unknown) => {
      const toPage = error instanceof ApiError && error.code !== 'network' ? pages[error.code] : undefined
      if (toPage) void navigate(href(toPage(currentPath())), { replace: true })
    }
    const ends = [queryClient.getQueryCache(), queryClient.getMutationCache()].map((cache) =>
      cache.subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') redirect(event.action.error)
      }),
    )
    return () => {
      for (const end of ends) end()
    }
  }, [navigate, pages])
}
