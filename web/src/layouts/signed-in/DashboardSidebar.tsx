import { useQuery } from '@tanstack/react-query'
import { Bell, CarFront, House, Mail, Send } from 'lucide-react'
import { useEffect } from 'react'
import { paths } from '#contract/paths.ts'
import { setAppBadge } from '~/lib/push/push-subscription'
import { displayName, useUser } from '~/lib/session/user'
import { unreadCountQuery } from '~/notifications/queries'
import { m } from '~/paraglide/messages'
import { CountBadge } from '~/ui/Badge'
import { ButtonLink } from '~/ui/Button'
import { SidebarAccount } from './SidebarAccount.tsx'
import { SidebarFrame, SidebarItem } from './SidebarFrame.tsx'

/** Shows the navigation of the dashboard. */
export function DashboardSidebar() {
  const { data } = useQuery(unreadCountQuery)
  const unread = data ?? 0
  useEffect(() => {
    if (data !== undefined) setAppBadge(data)
  }, [data])
  return (
    <SidebarFrame hasUpdates={unread > 0}>
      <nav aria-label={m.nav_main()} className="grid gap-1">
        <SidebarItem to={paths.dashboard()} icon={House} end>
          {m.nav_dashboard()}
        </SidebarItem>
        <SidebarItem
          to={paths.notifications()}
          icon={Bell}
          after={<CountBadge count={unread} label={m.unread_count({ count: unread })} />}
        >
          {m.nav_notifications()}
        </SidebarItem>
        <SidebarItem to={paths.vehicles()} icon={CarFront}>
          {m.nav_vehicles()}
        </SidebarItem>
        <SidebarItem to={paths.messages()} icon={Mail}>
          {m.nav_messages()}
        </SidebarItem>
      </nav>
      <ButtonLink to={paths.send()}>
        <Send aria-hidden="true" className="size-5" />
        {m.action_send_a_message()}
      </ButtonLink>
      <SidebarAccount name={displayName(useUser())} profilePath={paths.profile()} />
    </SidebarFrame>
  )
}
