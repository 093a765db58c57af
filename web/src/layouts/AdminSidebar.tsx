import { useQuery } from '@tanstack/react-query'
import { CarFront, House, Scale, ScrollText, Users } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { openDisputeCountQuery } from '~/admin/frame/queries'
import { displayName, useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { CountBadge } from '~/ui/Badge'
import { SidebarAccount } from './signed-in/SidebarAccount.tsx'
import { SidebarFrame, SidebarItem } from './signed-in/SidebarFrame.tsx'

/** Shows the navigation of the admin area (requirements §2). */
export function AdminSidebar() {
  const { data: disputes = 0 } = useQuery(openDisputeCountQuery)
  return (
    <SidebarFrame area={m.admin_area()} hasUpdates={disputes > 0}>
      <nav aria-label={m.nav_main()} className="grid gap-1">
        <SidebarItem to={paths.admin()} icon={House} end>
          {m.nav_dashboard()}
        </SidebarItem>
        <SidebarItem to={paths.adminUsers()} icon={Users}>
          {m.admin_users_title()}
        </SidebarItem>
        <SidebarItem to={paths.adminVehicles()} icon={CarFront}>
          {m.admin_vehicles_title()}
        </SidebarItem>
        <SidebarItem
          to={paths.adminDisputes()}
          icon={Scale}
          after={<CountBadge count={disputes} label={m.admin_disputes_open({ count: disputes })} />}
        >
          {m.admin_disputes_title()}
        </SidebarItem>
        <SidebarItem to={paths.adminAuditLog()} icon={ScrollText}>
          {m.admin_audit_title()}
        </SidebarItem>
      </nav>
      <SidebarAccount name={displayName(useUser()) || m.admin_area()} profilePath={paths.adminProfile()} />
    </SidebarFrame>
  )
}
