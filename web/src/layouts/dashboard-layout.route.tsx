import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useRevalidator } from 'react-router'
import { paths } from '#contract/paths.ts'
import { href, withoutLocale } from '~/lib/i18n'
import { queryClient } from '~/lib/query-client'
import { requireUser } from '~/lib/require-user'
import { auth, isLeaving } from '~/lib/session.client'
import { UserContext } from '~/lib/user'
import { useLiveNotifications } from '~/notifications/use-live-notifications'
import { OfflineBanner } from '~/ui/OfflineBanner'
import { Toasts } from '~/ui/Toasts'
import type { Route } from './+types/dashboard-layout.route'
import { Sidebar } from './Sidebar.tsx'
import { SkipLink } from './SkipLink.tsx'

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { user: await requireUser(request) }
}
clientLoader.hydrate = true as const

/** Nothing is shown while the session loads (spec §2). */
export function HydrateFallback() {
  return null
}

/** The signed-in pages. Pages show their own skeletons while their data comes; the frame stands at once. */
export default function DashboardLayout({ loaderData: { user } }: Route.ComponentProps) {
  useSessionEvents()
  return (
    <QueryClientProvider client={queryClient}>
      <UserContext value={user}>
        <SkipLink />
        <LiveNotifications />
        <div className="lg:grid lg:min-h-dvh lg:grid-cols-[17rem_1fr]">
          <Sidebar />
          <div className="min-w-0">
            <OfflineBanner />
            <main id="content" tabIndex={-1} className="max-w-5xl px-4 pt-6 pb-20 sm:px-8 lg:px-12 lg:pt-10">
              <Outlet />
            </main>
          </div>
        </div>
        <Toasts />
      </UserContext>
    </QueryClientProvider>
  )
}

function LiveNotifications() {
  useLiveNotifications()
  return null
}

/** The session is over, though the person did not leave here: after logging in they are here again. */
const loginAndBack = () => paths.login(withoutLocale(location.pathname) + location.search + location.hash)

/** Signed out, here or in another tab: away from here. A changed name shows at once. */
function useSessionEvents() {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const { data } = auth.onAuthStateChange((event) => {
      // a full load: pages without scripts are written for signed-out people
      if (event === 'SIGNED_OUT') location.assign(href(isLeaving() ? paths.home() : loginAndBack()))
      if (event === 'USER_UPDATED') void revalidate()
    })
    return () => data.subscription.unsubscribe()
  }, [revalidate])
}
