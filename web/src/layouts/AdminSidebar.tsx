import { useQuery } from '@tanstack/react-query'
import { Activity, CarFront, Flag, Gavel, House, Scale, ScrollText, Users } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { inboxCountsQuery } from '~/admin/frame/queries'
import { displayName, useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { CountBadge } from '~/ui/Badge'
import { SidebarAccount } from './signed-in/SidebarAccount.tsx'
import { SidebarFrame, SidebarItem } from './signed-in/SidebarFrame.tsx'

const NONE = { disputes: 0, reports: 0, appeals: 0 }

/** Shows the navigation of the admin area (requirements §2). */
export function AdminSidebar() {
  const { data: { disputes, reports: cases, appeals } = NONE } = useQuery(inboxCountsQuery)
  return (
    <SidebarFrame area={m.admin_area()} hasUpdates={disputes + cases + appeals > 0}>
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
        <SidebarItem
          to={paths.adminReports()}
          icon={Flag}
          after={<CountBadge count={cases} label={m.admin_reports_open({ count: cases })} />}
        >
          {m.admin_reports_title()}
        </SidebarItem>
        <SidebarItem
          to={paths.adminAppeals()}
          icon={Gavel}
          after={<CountBadge count={appeals} label={m.admin_appeals_open({ count: appeals })} />}
        >
          {m.admin_appeals_title()}
        </SidebarItem>
        <SidebarItem to={paths.adminHealth()} icon={Activity}>
          {m.admin_health_title()}
        </SidebarItem>
        <SidebarItem to={paths.adminAuditLog()} icon={ScrollText}>
          {m.admin_audit_title()}
        </SidebarItem>
      </nav>
      <SidebarAccount name={displayName(useUser()) || m.admin_area()} profilePath={paths.adminProfile()} />
    </SidebarFrame>
  )
}
