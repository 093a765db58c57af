import { CarFront, Scale, ScrollText, Users } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { AdminSectionLink } from './AdminSectionLink.tsx'
import { VehicleStats } from './VehicleStats.tsx'

/** /admin: how many vehicles are registered, and the ways to what admins do. */
export function AdminDashboardPage() {
  return (
    <>
      <PageHeader title={m.nav_dashboard()} />
      <div className="grid gap-5">
        <VehicleStats />
        <ul className="grid gap-3 sm:grid-cols-2 sm:gap-5">
          <AdminSectionLink
            to={paths.adminUsers()}
            icon={Users}
            title={m.admin_users_title()}
            text={m.admin_users_card()}
          />
          <AdminSectionLink
            to={paths.adminVehicles()}
            icon={CarFront}
            title={m.admin_vehicles_title()}
            text={m.admin_vehicles_card()}
          />
          <AdminSectionLink
            to={paths.adminDisputes()}
            icon={Scale}
            title={m.admin_disputes_title()}
            text={m.admin_disputes_card()}
          />
          <AdminSectionLink
            to={paths.adminAuditLog()}
            icon={ScrollText}
            title={m.admin_audit_title()}
            text={m.admin_audit_card()}
          />
        </ul>
      </div>
    </>
  )
}
