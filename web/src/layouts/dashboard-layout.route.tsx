import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, type ShouldRevalidateFunctionArgs } from 'react-router'
import { unreadCount } from '#contract/notifications.ts'
import { paths } from '#contract/paths.ts'
import { addressOf } from '~/lib/api'
import { queryClient } from '~/lib/query-client'
import { requireUser } from '~/lib/require-user'
import type { RouteHandle } from '~/lib/route-handle'
import { UserContext } from '~/lib/user'
import { useLiveNotifications } from '~/notifications/use-live-notifications'
import { useKeepPush } from '~/push/use-keep-push'
import { OfflineBanner } from '~/ui/OfflineBanner'
import { Toasts } from '~/ui/Toasts'
import type { Route } from './+types/dashboard-layout.route'
import { SessionUnknown } from './SessionUnknown.tsx'
import { Sidebar } from './Sidebar.tsx'
import { SkipLink } from './SkipLink.tsx'
import { useSessionEvents } from './use-session-events.ts'

export const handle: RouteHandle = { reads: [addressOf(unreadCount, {})] }

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { user: await requireUser(request) }
}
clientLoader.hydrate = true as const

/** Another tab of a page changes the address: no reason to renew the session, which there may be no connection for. */
export const shouldRevalidate = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  currentUrl.search === nextUrl.search && defaultShouldRevalidate

/** Nothing is shown while the session loads (spec §2). */
export function HydrateFallback() {
  return null
}

/** The signed-in pages. Pages show their own skeletons while their data comes; the frame stands at once. */
export default function DashboardLayout({ loaderData: { user } }: Route.ComponentProps) {
  useSessionEvents(user.id, paths.login)
  useKeepPush(user.id)
  return (
    <QueryClientProvider client={queryClient}>
      <UserContext value={user}>
        <SkipLink />
        <LiveNotifications userId={user.id} />
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

function LiveNotifications({ userId }: { userId: string }) {
  useLiveNotifications(userId)
  return null
}

/** The session could not be renewed. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <SessionUnknown error={error} />
}
