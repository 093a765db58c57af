import { useEffect } from 'react'
import { Outlet, replace } from 'react-router'
import { getInboxCounts } from '#contract/inbox.ts'
import { paths } from '#contract/paths.ts'
import { ADMIN_QUERY_KEY, inboxCountsQuery } from '~/admin/frame/queries'
import { requireAdmin, USER_URL } from '~/admin/frame/require-admin'
import { StepUp } from '~/admin/frame/StepUp'
import { requireConsent } from '~/lib/guard/require-consent'
import { requestedPath } from '~/lib/guard/require-user'
import { ApiError, urlOf } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { useSessionEvents } from '~/lib/session/use-session-events'
import type { Route } from './+types/admin-layout.route'
import { AdminSidebar } from './AdminSidebar.tsx'
import { SessionError, SidebarLayout } from './signed-in/SidebarLayout.tsx'
import { useRedirectOnError } from './signed-in/use-redirect-on-error.ts'

const FIRST = urlOf(getInboxCounts, {})

export const handle: RouteHandle = { accountPage: true, prefetch: [USER_URL, FIRST] }

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const startedAt = Date.now()
  const counts = prefetchBeforeRender(FIRST, () => queryClient.prefetchQuery(inboxCountsQuery))
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
  useSessionEvents(user.id, paths.adminLogin)
  useRedirectOnError(PAGES_BY_ERROR)
  useEffect(() => () => queryClient.removeQueries({ queryKey: [ADMIN_QUERY_KEY] }), [])
  return (
    <SidebarLayout user={user} sidebar={<AdminSidebar />}>
      <Outlet />
      <StepUp />
    </SidebarLayout>
  )
}

/** Says that the server neither confirmed nor denied the admin role. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <SessionError error={error} />
}
