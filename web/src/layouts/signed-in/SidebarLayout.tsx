import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { type ShouldRevalidateFunctionArgs, useNavigate, useRevalidator } from 'react-router'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '~/lib/http/api'
import { currentPath, href } from '~/lib/i18n/i18n'
import { queryClient } from '~/lib/query/query-client'
import { useSessionEvents } from '~/lib/session/use-session-events'
import { type User, UserContext } from '~/lib/session/user'
import { ErrorState } from '~/ui/ErrorState'
import { OfflineBanner } from '~/ui/OfflineBanner'
import { SkipLink } from '~/ui/SkipLink'
import { Toasts } from '~/ui/Toasts'

/**
 * Keeps a layout from running its loader again when a filter or a tab changes the query of the URL (`shouldRevalidate`): the
 * session is the same, and there may be no connection to check it over.
 */
export const skipQueryChanges = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  currentUrl.search === nextUrl.search && defaultShouldRevalidate

type ReturnTo = (returnTo: string) => string
type PagesByError = { [code in ErrorCode]?: ReturnTo }

type Props = {
  user: User
  sidebar: ReactNode
  /** Returns the log-in page, which leads back to a path. */
  login: ReturnTo
  /** The pages that errors of queries and mutations lead to; a constant, because an effect depends on it. */
  pagesByError: PagesByError
  children: ReactNode
}

/** Shows a signed-in page beside its navigation. */
export function SidebarLayout({ user, sidebar, login, pagesByError, children }: Props) {
  useSessionEvents(user.id, login)
  useRedirectOnError(pagesByError)
  return (
    <QueryClientProvider client={queryClient}>
      <UserContext value={user}>
        <SkipLink />
        <div className="flex min-h-dvh flex-col lg:grid lg:grid-cols-[17rem_1fr] print:block!">
          {sidebar}
          <div className="flex min-w-0 flex-1 flex-col">
            <OfflineBanner />
            <main
              id="content"
              tabIndex={-1}
              className="w-full max-w-5xl flex-1 px-4 pt-6 pb-22 sm:px-8 lg:px-12 lg:pt-10"
            >
              {children}
            </main>
            <Toasts className="max-w-5xl px-4 sm:px-8 lg:px-12" />
          </div>
        </div>
      </UserContext>
    </QueryClientProvider>
  )
}

/** Leaves the page when a query or a mutation fails with one of these codes; the page it leads to comes back here. */
function useRedirectOnError(pages: PagesByError) {
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

/** Replaces a layout whose loader got no response about the user. Rethrows what a page threw, for the root's error page. */
export function SessionError({ error }: { error: unknown }) {
  const { revalidate } = useRevalidator()
  if (!(error instanceof ApiError)) throw error
  return (
    <main className="mx-auto grid min-h-dvh max-w-xl content-center px-4 py-16">
      <ErrorState error={error} onRetry={() => void revalidate()} />
    </main>
  )
}
