import { Outlet } from 'react-router'
import { unreadCount } from '#contract/notifications.ts'
import { paths } from '#contract/paths.ts'
import { addressOf } from '~/lib/api'
import { queryClient } from '~/lib/query-client'
import { readBeforeDrawing } from '~/lib/read-before-drawing'
import { requireUser } from '~/lib/require-user'
import type { RouteHandle } from '~/lib/route-handle'
import { unreadCountQuery } from '~/notifications/queries'
import { useLiveNotifications } from '~/notifications/use-live-notifications'
import { useKeepPush } from '~/push/use-keep-push'
import type { Route } from './+types/dashboard-layout.route'
import { SessionUnknown } from './SessionUnknown.tsx'
import { Sidebar } from './Sidebar.tsx'
import { SidebarLayout } from './SidebarLayout.tsx'
import { useSessionEvents } from './use-session-events.ts'

const FIRST = addressOf(unreadCount, {})

export const handle: RouteHandle = { reads: [FIRST] }

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const count = readBeforeDrawing(FIRST, () => queryClient.prefetchQuery(unreadCountQuery))
  const user = await requireUser(request)
  await count
  return { user }
}
clientLoader.hydrate = true as const

export { unlessQueryChanged as shouldRevalidate } from './SidebarLayout.tsx'

/** Nothing is shown while the session loads (spec §2). */
export function HydrateFallback() {
  return null
}

/** The signed-in pages. Pages show their own skeletons while their data comes; the frame stands at once. */
export default function DashboardLayout({ loaderData: { user } }: Route.ComponentProps) {
  useSessionEvents(user.id, paths.login)
  useKeepPush(user.id)
  return (
    <SidebarLayout user={user} sidebar={<Sidebar />}>
      <LiveNotifications userId={user.id} />
      <Outlet />
    </SidebarLayout>
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
