import { Outlet } from 'react-router'
import { listDisputes } from '#contract/admin.ts'
import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import { paths } from '#contract/paths.ts'
import { openDisputeCount } from '~/admin/dispute-count'
import { addressOf } from '~/lib/api'
import { queryClient } from '~/lib/query-client'
import { readBeforeDrawing } from '~/lib/read-before-drawing'
import { requireAdmin, USER_ADDRESS } from '~/lib/require-admin'
import type { RouteHandle } from '~/lib/route-handle'
import type { Route } from './+types/admin-layout.route'
import { AdminSidebar } from './AdminSidebar.tsx'
import { SessionUnknown } from './SessionUnknown.tsx'
import { SidebarLayout } from './SidebarLayout.tsx'
import { useLeaveWhenForbidden } from './use-leave-when-forbidden.ts'
import { useSessionEvents } from './use-session-events.ts'

const FIRST = addressOf(listDisputes, { limit: PAGE_LIMIT_MAX })

export const handle: RouteHandle = { reads: [USER_ADDRESS, FIRST] }

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const count = readBeforeDrawing(FIRST, () => queryClient.prefetchQuery(openDisputeCount))
  const user = await requireAdmin(request)
  await count
  return { user }
}
clientLoader.hydrate = true as const

export { unlessQueryChanged as shouldRevalidate } from './SidebarLayout.tsx'

/** Nothing is shown before the server has confirmed the admin right (spec §2). */
export function HydrateFallback() {
  return null
}

/** The admin area. Pages show their own skeletons while their data comes; the frame stands at once. */
export default function AdminLayout({ loaderData: { user } }: Route.ComponentProps) {
  useSessionEvents(user.id, paths.adminLogin)
  useLeaveWhenForbidden()
  return (
    <SidebarLayout user={user} sidebar={<AdminSidebar />}>
      <Outlet />
    </SidebarLayout>
  )
}

/** The server did not say whether this is an admin. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <SessionUnknown error={error} />
}
