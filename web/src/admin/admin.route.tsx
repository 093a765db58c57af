import { useQuery } from '@tanstack/react-query'
import { CarFront, ChevronRight, CircleCheck, type LucideIcon, Users } from 'lucide-react'
import { useId } from 'react'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { PageHeader } from '~/ui/PageHeader'

import { inboxCountsQuery } from './frame/queries.ts'
import { ActivityCharts, ProvinceBars, statsQuery, VehicleStats } from './Statistics.tsx'

export const handle: RouteHandle = { prefetch: [statsQuery] }

export const clientLoader = () => prefetchBeforeRender(statsQuery)

export const meta = () => privatePageMeta(`${m.admin_area()} · ${m.nav_dashboard()}`)

/** Renders /admin: what waits for a decision, how many vehicles are registered, and what happened in the last weeks. */
export default function AdminDashboardPage() {
  return (
    <>
      <PageHeader title={m.nav_dashboard()} />
      <div className="grid grid-cols-1 gap-5">
        <Waiting />
        <VehicleStats />
        <ul className="grid gap-3 sm:grid-cols-2 sm:gap-5">
          <SectionLink to={paths.adminUsers()} icon={Users} title={m.admin_users_title()} text={m.admin_users_card()} />
          <SectionLink
            to={paths.adminVehicles()}
            icon={CarFront}
            title={m.admin_vehicles_title()}
            text={m.admin_vehicles_card()}
          />
        </ul>
        <div className="grid gap-5 lg:grid-cols-2">
          <ActivityCharts />
          <ProvinceBars />
        </div>
      </div>
    </>
  )
}

const KINDS = [
  ['dispute', 'disputes', m.admin_disputes_open],
  ['report', 'reports', m.admin_reports_open],
  ['appeal', 'appeals', m.admin_appeals_open],
] as const

/** Shows what waits in the inbox, by kind, or in one line that nothing does. */
function Waiting() {
  const heading = useId()
  const { data: counts } = useQuery(inboxCountsQuery) // the layout has loaded them
  if (!counts) return null
  const waiting = KINDS.filter(([, name]) => counts[name] > 0)
  if (waiting.length === 0)
    return (
      <p className="flex items-center gap-2 text-ink-soft">
        <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-good" />
        {m.admin_waiting_none()}
      </p>
    )
  return (
    <section aria-labelledby={heading} className="rounded-2xl bg-signal-soft px-5 py-3 sm:px-6">
      <h2 id={heading} className="font-semibold">
        {m.admin_waiting()}
      </h2>
      <ul className="flex flex-wrap gap-x-8">
        {waiting.map(([kind, name, text]) => (
          <li key={kind}>
            <Link
              to={paths.adminInbox(kind)}
              className="link inline-flex min-h-11 items-center gap-1 text-lg font-bold"
            >
              {text({ count: counts[name] })}
              <ChevronRight aria-hidden="true" className="size-5 shrink-0" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
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
