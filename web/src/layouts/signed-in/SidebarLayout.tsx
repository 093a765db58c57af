import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type ShouldRevalidateFunctionArgs, useRevalidator } from 'react-router'
import { ApiError } from '~/lib/http/api'
import { queryClient } from '~/lib/query/query-client'
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

type Props = {
  user: User
  sidebar: ReactNode
  children: ReactNode
}

/** Shows a signed-in page beside its navigation. */
export function SidebarLayout({ user, sidebar, children }: Props) {
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
