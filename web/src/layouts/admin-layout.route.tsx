import { useQuery } from '@tanstack/react-query'
import { Activity, CarFront, House, Inbox, Users } from 'lucide-react'
import { useEffect } from 'react'
import { Outlet, replace } from 'react-router'
import { paths } from '#contract/paths.ts'
import { ADMIN_QUERY_KEY, inboxCountsQuery } from '~/admin/frame/queries'
import { requireAdmin, USER_URL } from '~/admin/frame/require-admin'
import { StepUp } from '~/admin/frame/StepUp'
import { requestedPath, requireConsent } from '~/lib/guard/require-user'
import { ApiError } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender, queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/admin-layout.route'
import { Sidebar } from './signed-in/Sidebar.tsx'
import { SessionError, SidebarLayout } from './signed-in/SidebarLayout.tsx'

export const handle: RouteHandle = { accountPage: true, prefetch: [USER_URL, inboxCountsQuery] }

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const startedAt = Date.now()
  const counts = prefetchBeforeRender(inboxCountsQuery)
  const user = await requireAdmin(request)
  await counts
  if (isFactorMissing(startedAt)) throw replace(href(paths.twoStep(requestedPath(request))))
  await requireConsent(user.id, request)
  return { user }
}
clientLoader.hydrate = true as const

/** Returns whether the server has just asked for a second factor: an admin who has none is led to set one up. */
function isFactorMissing(sinceMs: number): boolean {
  const { error, errorUpdatedAt = 0 } = queryClient.getQueryState(inboxCountsQuery.queryKey) ?? {}
  return error instanceof ApiError && error.code === 'second_factor_required' && errorUpdatedAt >= sinceMs
}

export { skipQueryChanges as shouldRevalidate } from './signed-in/SidebarLayout.tsx'

/** Shows nothing until the server has confirmed the admin role (requirements §2). */
export function HydrateFallback() {
  return null
}

/** A user who has lost the admin role is led to the admin log-in. */
const PAGES_BY_ERROR = {
  second_factor_required: paths.twoStep,
  suspended: paths.suspended,
  forbidden: paths.adminLogin,
}

/** Shows the admin area. The frame appears at once; each page shows its own skeleton while its data loads. */
export default function AdminLayout({ loaderData: { user } }: Route.ComponentProps) {
  useEffect(() => () => queryClient.removeQueries({ queryKey: [ADMIN_QUERY_KEY] }), [])
  return (
    <SidebarLayout user={user} sidebar={<AdminSidebar />} login={paths.adminLogin} pagesByError={PAGES_BY_ERROR}>
      <Outlet />
      <StepUp />
    </SidebarLayout>
  )
}

function AdminSidebar() {
  const { data: counts } = useQuery(inboxCountsQuery)
  const count = counts ? counts.disputes + counts.reports + counts.appeals : 0
  const countText = m.admin_inbox_waiting({ count })
  return (
    <Sidebar
      area={m.admin_area()}
      items={[
        { to: paths.admin(), icon: House, text: m.nav_dashboard() },
        { to: paths.adminInbox(), icon: Inbox, text: m.admin_inbox_title(), count, countText },
        { to: paths.adminUsers(), icon: Users, text: m.admin_users_title() },
        { to: paths.adminVehicles(), icon: CarFront, text: m.admin_vehicles_title() },
        { to: paths.adminSystem(), icon: Activity, text: m.admin_system_title() },
      ]}
      profilePath={paths.adminProfile()}
    />
  )
}

/** Says that the server neither confirmed nor denied the admin role. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <SessionError error={error} />
}
