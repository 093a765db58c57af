import { useQuery } from '@tanstack/react-query'
import { Activity, CarFront, House, Inbox, Users } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { inboxCountsQuery } from '~/admin/frame/queries'
import { displayName, useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { CountBadge } from '~/ui/Badge'
import { SidebarAccount } from './signed-in/SidebarAccount.tsx'
import { SidebarFrame, SidebarItem } from './signed-in/SidebarFrame.tsx'

/** Shows the navigation of the admin area (requirements §2). */
export function AdminSidebar() {
  const { data: counts } = useQuery(inboxCountsQuery)
  const count = counts ? counts.disputes + counts.reports + counts.appeals : 0
  return (
    <SidebarFrame area={m.admin_area()} hasUpdates={count > 0}>
      <nav aria-label={m.nav_main()} className="grid gap-1">
        <SidebarItem to={paths.admin()} icon={House} end>
          {m.nav_dashboard()}
        </SidebarItem>
        <SidebarItem
          to={paths.adminInbox()}
          icon={Inbox}
          after={<CountBadge count={count} label={m.admin_inbox_waiting({ count })} />}
        >
          {m.admin_inbox_title()}
        </SidebarItem>
        <SidebarItem to={paths.adminUsers()} icon={Users}>
          {m.admin_users_title()}
        </SidebarItem>
        <SidebarItem to={paths.adminVehicles()} icon={CarFront}>
          {m.admin_vehicles_title()}
        </SidebarItem>
        <SidebarItem to={paths.adminSystem()} icon={Activity}>
          {m.admin_system_title()}
        </SidebarItem>
      </nav>
      <SidebarAccount name={displayName(useUser()) || m.admin_area()} profilePath={paths.adminProfile()} />
    </SidebarFrame>
  )
}
