import { Outlet } from 'react-router'
import { getUnreadCount } from '#contract/notifications.ts'
import { paths } from '#contract/paths.ts'
import { requireConsent } from '~/lib/guard/require-consent'
import { requireUser } from '~/lib/guard/require-user'
import { urlOf } from '~/lib/http/api'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { useSessionEvents } from '~/lib/session/use-session-events'
import { unreadCountQuery } from '~/notifications/queries'
import { useLiveNotifications } from '~/notifications/use-live-notifications'
import type { Route } from './+types/dashboard-layout.route'
import { DashboardSidebar } from './signed-in/DashboardSidebar.tsx'
import { SessionError, SidebarLayout } from './signed-in/SidebarLayout.tsx'
import { useRedirectOnError } from './signed-in/use-redirect-on-error.ts'
import { useRenewPushSubscription } from './signed-in/use-renew-push-subscription.ts'

const FIRST = urlOf(getUnreadCount, {})

export const handle: RouteHandle = { accountPage: true, prefetch: [FIRST] }

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const count = prefetchBeforeRender(FIRST, () => queryClient.prefetchQuery(unreadCountQuery))
  const user = await requireUser(request)
  await requireConsent(user.id, request)
  await count
  return { user }
}
clientLoader.hydrate = true as const

export { skipQueryChanges as shouldRevalidate } from './signed-in/SidebarLayout.tsx'

/** Shows nothing while the session loads (requirements §2). */
export function HydrateFallback() {
  return null
}

const PAGES_BY_ERROR = { second_factor_required: paths.twoStep, suspended: paths.suspended }

/** Shows the signed-in pages. The frame appears at once; each page shows its own skeleton while its data loads. */
export default function DashboardLayout({ loaderData: { user } }: Route.ComponentProps) {
  useSessionEvents(user.id, paths.login)
  useRedirectOnError(PAGES_BY_ERROR)
  useRenewPushSubscription(user.id)
  return (
    <SidebarLayout user={user} sidebar={<DashboardSidebar />}>
      <LiveNotifications userId={user.id} />
      <Outlet />
    </SidebarLayout>
  )
}

function LiveNotifications({ userId }: { userId: string }) {
  useLiveNotifications(userId)
  return null
}

/** Says that the session could not be renewed. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <SessionError error={error} />
}
