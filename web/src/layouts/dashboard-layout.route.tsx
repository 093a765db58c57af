import { useQuery } from '@tanstack/react-query'
import { Bell, CarFront, House, Mail, Send } from 'lucide-react'
import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { paths } from '#contract/paths.ts'
import { requireConsent, requireUser } from '~/lib/guard/require-user'
import type { RouteHandle } from '~/lib/page/route-handle'
import { setAppBadge } from '~/lib/push/push-subscription'
import { prefetchBeforeRender } from '~/lib/query/query-client'
import { unreadCountQuery } from '~/notifications/queries'
import { useLiveNotifications } from '~/notifications/use-live-notifications'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import type { Route } from './+types/dashboard-layout.route'
import { Sidebar } from './signed-in/Sidebar.tsx'
import { SessionError, SidebarLayout } from './signed-in/SidebarLayout.tsx'
import { useRenewPushSubscription } from './signed-in/use-renew-push-subscription.ts'

export const handle: RouteHandle = { accountPage: true, prefetch: [unreadCountQuery] }

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const count = prefetchBeforeRender(unreadCountQuery)
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
  useRenewPushSubscription(user.id)
  return (
    <SidebarLayout user={user} sidebar={<DashboardSidebar />} login={paths.login} pagesByError={PAGES_BY_ERROR}>
      <LiveNotifications userId={user.id} />
      <Outlet />
    </SidebarLayout>
  )
}

function DashboardSidebar() {
  const { data: unread } = useQuery(unreadCountQuery)
  useEffect(() => {
    if (unread !== undefined) setAppBadge(unread)
  }, [unread])
  const countText = m.unread_count({ count: unread ?? 0 })
  return (
    <Sidebar
      items={[
        { to: paths.dashboard(), icon: House, text: m.nav_dashboard() },
        { to: paths.notifications(), icon: Bell, text: m.nav_notifications(), count: unread, countText },
        { to: paths.vehicles(), icon: CarFront, text: m.nav_vehicles() },
        { to: paths.messages(), icon: Mail, text: m.nav_messages() },
      ]}
      action={
        <ButtonLink icon={Send} to={paths.send()}>
          {m.action_send_a_message()}
        </ButtonLink>
      }
      profilePath={paths.profile()}
    />
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
