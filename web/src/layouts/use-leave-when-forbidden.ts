import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { ADMIN_KEY } from '~/admin/admin-key'
import { ApiError } from '~/lib/api'
import { here, href } from '~/lib/i18n'
import { queryClient } from '~/lib/query-client'

/** Somebody whose admin right was taken meanwhile goes to the admin log-in; what the area showed is forgotten with it. */
export function useLeaveWhenForbidden() {
  const navigate = useNavigate()
  useEffect(() => {
    const leave = (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'forbidden') return
      void navigate(href(paths.adminLogin(here())), { replace: true })
    }
    const queries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') leave(event.action.error)
    })
    const mutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') leave(event.action.error)
    })
    return () => {
      queries()
      mutations()
      queryClient.removeQueries({ queryKey: [ADMIN_KEY] })
    }
  }, [navigate])
}
