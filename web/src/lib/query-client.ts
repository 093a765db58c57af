import { QueryCache, QueryClient } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import { ApiError } from '~/lib/api'
import { href, withoutLocale } from '~/lib/i18n'

const SECOND_MS = 1000
const RETRIES = 2

/** Only what may pass by itself is tried again: no connection, a busy server. A refusal stays one. */
const mayPass = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) void signInAgain()
    },
  }),
  defaultOptions: {
    queries: { retry: (failures, error) => failures < RETRIES && mayPass(error), staleTime: 10 * SECOND_MS },
    mutations: { retry: false },
  },
})

/** The session could not be renewed: drop it and come back here after signing in. */
async function signInAgain() {
  const { auth } = await import('~/lib/session.client')
  await auth.signOut({ scope: 'local' })
  const here = withoutLocale(location.pathname) + location.search + location.hash
  location.assign(href(paths.login(here)))
}
