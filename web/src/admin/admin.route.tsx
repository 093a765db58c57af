import { Activity, CarFront, ChevronRight, type LucideIcon, ScrollText, Users } from 'lucide-react'
import { getStats } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import { urlOf } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'
import { ActivityCharts } from './ActivityCharts.tsx'
import { statsQuery } from './stats-query.ts'
import { VehicleStats } from './VehicleStats.tsx'

const FIRST = urlOf(getStats, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchQuery(statsQuery))

export const meta = () => privatePageMeta(`${m.admin_area()} · ${m.nav_dashboard()}`)

/** Renders /admin: how many vehicles are registered, what happened in the last weeks, and links to the parts of the admin area. */
export default function AdminDashboardPage() {
  return (
    <>
      <PageHeader title={m.nav_dashboard()} />
      <div className="grid gap-5">
        <VehicleStats />
        <ActivityCharts />
        <ul className="grid gap-3 sm:grid-cols-2 sm:gap-5">
          <SectionLink to={paths.adminUsers()} icon={Users} title={m.admin_users_title()} text={m.admin_users_card()} />
          <SectionLink
            to={paths.adminVehicles()}
            icon={CarFront}
            title={m.admin_vehicles_title()}
            text={m.admin_vehicles_card()}
          />
          <SectionLink
            to={paths.adminHealth()}
            icon={Activity}
            title={m.admin_health_title()}
            text={m.admin_health_card()}
          />
          <SectionLink
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

type SectionLinkProps = { to: string; icon: LucideIcon; title: string; text: string }

/** Links to one part of the admin area, as an item of a list. The whole card can be pressed. */
function SectionLink({ to, icon: Icon, title, text }: SectionLinkProps) {
  return (
    <li className="grid">
      <Link
        to={to}
        className="flex items-start gap-4 rounded-2xl border border-line bg-surface p-5 shadow-card hover:border-line-strong sm:p-6"
      >
        <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
        <span className="grid gap-1">
          <span className="text-lg leading-tight font-bold">{title}</span>
          <span className="text-ink-soft">{text}</span>
        </span>
        <ChevronRight aria-hidden="true" className="ml-auto size-5 shrink-0 self-center text-ink-soft" />
      </Link>
    </li>
  )
}
