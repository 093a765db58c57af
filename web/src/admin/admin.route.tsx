import { useQuery } from '@tanstack/react-query'
import { CarFront, ChevronRight, CircleCheck, Users } from 'lucide-react'
import { useId } from 'react'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
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
        <div className="grid grid-cols-2 gap-3 sm:gap-5">
          <ButtonLink icon={Users} to={paths.adminUsers()}>
            {m.admin_users_title()}
          </ButtonLink>
          <ButtonLink icon={CarFront} to={paths.adminVehicles()}>
            {m.admin_vehicles_title()}
          </ButtonLink>
        </div>
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
