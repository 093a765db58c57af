import { useQuery } from '@tanstack/react-query'
import { Plus, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { type Dashboard, getDashboard } from '#contract/dashboard.ts'
import { paths } from '#contract/paths.ts'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { endpointQuery } from '~/lib/query/paged'
import { prefetchBeforeRender } from '~/lib/query/query-client'
import { displayName, type User, useUser } from '~/lib/session/user'
import { useHasNews } from '~/messages/queries'
import { CarriedNote } from '~/notes/CarriedNote'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded, LoadedPart } from '~/ui/signed-in/LoadedPart'
import { DisputeNotice } from '~/vehicles/DisputeNotice'
import { LatestVehicles, RecentMessages, WaitingMessage } from './DashboardPanels.tsx'
import { Onboarding } from './Onboarding.tsx'

// loaded on demand: hardly anybody's emails come back
const loadUnreachableNotice = () => import('./UnreachableNotice.tsx')

/** Fetches the figures and the latest items of the dashboard. */
const dashboardQuery = {
  ...endpointQuery(['dashboard'], getDashboard, {}),
  refetchOnWindowFocus: 'always' as const, // there is no notification when a dispute begins or is resolved
}

// the layout, which the page and its skeleton share
const GRID = 'grid grid-cols-1 gap-4 sm:gap-5'
const PAIR = 'grid grid-cols-2 gap-3 sm:gap-5'
const PANELS = 'grid grid-cols-1 gap-4 sm:gap-5 xl:grid-cols-2'

export const handle: RouteHandle = { prefetch: [dashboardQuery] }

export const clientLoader = () => prefetchBeforeRender(dashboardQuery)

export const meta = () => privatePageMeta(m.nav_dashboard())

/** Returns 'Hello, Maya'; a user without a name is not greeted by the email address. */
function greeting(user: User): ReactNode {
  const name = displayName(user).trim()
  if (name === '' || name === shownEmail(user)) return m.nav_dashboard()
  const first = name.split(/\s+/)[0]!
  return verbatim(m.dashboard_hello({ name: first }), first)
}

/** Shows /dashboard: what waits for the user, the figures, and the latest messages and vehicles. */
export default function DashboardPage() {
  const user = useUser()
  const query = useQuery(dashboardQuery)
  const { data } = query
  const isNews = useHasNews() && data?.sent?.replied_at != null // unread ones of somebody who only sends are about replies
  const isEmpty = data?.recent_vehicles.length === 0 && data.messages.total === 0
  const needsUser =
    data !== undefined && (data.waiting !== null || data.disputed_vehicles.length > 0 || data.email_unreachable)

  return (
    <div className={GRID}>
      <header className="grid grid-cols-1 gap-4 sm:grid-cols-[1fr_auto] sm:items-end">
        <h1 className="text-3xl font-extrabold sm:text-4xl">{greeting(user)}</h1>
        {data && (
          // first on a phone too, before the buttons
          <div className="contents sm:*:order-last sm:*:col-span-full">
            {data.email_unreachable && (
              <LoadedPart
                name="unreachable notice"
                load={loadUnreachableNotice}
                skeleton={<Skeleton className="h-40 sm:h-20" />}
              >
                {({ UnreachableNotice }) => (
                  <UnreachableNotice email={shownEmail(user)} queryKey={dashboardQuery.queryKey} />
                )}
              </LoadedPart>
            )}
            {data.waiting && <WaitingMessage waiting={data.waiting} />}
            <DisputeNotices vehicles={data.disputed_vehicles} />
            {data.recent_vehicles.length > 0 && <CarriedNote />}
          </div>
        )}
        {query.isPending ? (
          <Skeleton className="h-11 w-full sm:w-80" />
        ) : (
          !isEmpty && (
            <div className="flex flex-wrap gap-2 *:flex-1 max-sm:*:px-2.5 sm:gap-3 sm:*:flex-none">
              <QuickActions primary={needsUser ? null : data?.recent_vehicles.length === 0 ? 'add' : 'send'} />
            </div>
          )
        )}
      </header>
      <Loaded query={query} skeleton={<DashboardSkeleton />}>
        {(loaded) => (
          <>
            {isEmpty && (
              <Onboarding sent={loaded.sent} isNews={isNews}>
                <QuickActions primary={isNews ? null : 'add'} />
              </Onboarding>
            )}
            <div className={PAIR}>
              <StatCard
                title={m.dashboard_registered_vehicles()}
                unit={m.dashboard_active({ count: loaded.vehicles.total })}
                stat={loaded.vehicles}
                to={paths.vehicles()}
              />
              <StatCard
                title={m.dashboard_total_messages()}
                unit={m.dashboard_received({ count: loaded.messages.total })}
                stat={loaded.messages}
                to={paths.messages('received')}
              />
            </div>
            {!isEmpty && (
              <div className={PANELS}>
                <RecentMessages messages={loaded.recent_messages} unread={loaded.messages.unread} />
                <LatestVehicles vehicles={loaded.recent_vehicles} />
              </div>
            )}
            <Link to={paths.note()} reloadDocument className="link justify-self-start py-2.5">
              {m.dashboard_enter_code()}
            </Link>
          </>
        )}
      </Loaded>
    </div>
  )
}

/** Links to the two main actions; `primary` is the one that matters now, null: something else does. */
function QuickActions({ primary }: { primary: 'add' | 'send' | null }) {
  const actions = [
    { name: 'add', to: paths.newVehicle(), Icon: Plus, text: m.dashboard_add_vehicle() },
    { name: 'send', to: paths.send(), Icon: Send, text: m.dashboard_send_message() },
  ]
  return actions.map(({ name, to, Icon, text }) => (
    <ButtonLink
      key={name}
      to={to}
      variant={primary === name ? 'primary' : 'secondary'}
      className="min-[18rem]:whitespace-nowrap"
    >
      <Icon aria-hidden="true" className="size-5 max-sm:hidden" />
      {text}
    </ButtonLink>
  ))
}

type StatCardProps = {
  title: string
  /** What of it is counted. */
  unit: string
  stat: { total: number; this_month: number }
  /** The page of what is counted. */
  to: string
}

/** Shows a total and its growth this month; the whole card links to what it counts. */
function StatCard({ title, unit, stat, to }: StatCardProps) {
  const numberFormat = new Intl.NumberFormat(getLocale())
  return (
    <Link
      to={to}
      className="grid grid-cols-1 content-between gap-1 rounded-2xl border border-line bg-surface p-3 shadow-card hover:border-line-strong sm:p-5"
    >
      <span className="leading-tight font-semibold text-ink-soft max-sm:text-sm">{title}</span>
      <span className="flex flex-wrap items-baseline gap-x-2 text-sm text-ink-soft max-sm:*:last:basis-full">
        <span className="text-3xl leading-tight font-extrabold text-ink tabular-nums">
          {numberFormat.format(stat.total)}
        </span>
        <span>{unit}</span>
        <span>{m.dashboard_this_month({ count: numberFormat.format(stat.this_month) })}</span>
      </span>
    </Link>
  )
}

/** Says while somebody else claims one of the plates what has happened, and leads to what to do. */
function DisputeNotices({ vehicles }: { vehicles: Dashboard['disputed_vehicles'] }) {
  if (vehicles.length === 0) return null
  return (
    <section aria-label={m.dashboard_disputes()} className="grid gap-3">
      {vehicles.map(
        (vehicle) =>
          vehicle.dispute && <DisputeNotice key={vehicle.id} standalone vehicle={vehicle} dispute={vehicle.dispute} />,
      )}
    </section>
  )
}

/** Keeps the place of what comes first while something is unread. */
const NewsSkeleton = () => useHasNews() && <Skeleton className="h-34 rounded-xl! sm:h-22" />

/** Stands in for the dashboard while its data loads. */
function DashboardSkeleton() {
  return (
    <div className={GRID}>
      <NewsSkeleton />
      <div className={PAIR}>
        <Skeleton className="h-22 rounded-2xl! sm:h-27" />
        <Skeleton className="h-22 rounded-2xl! sm:h-27" />
      </div>
      <div className={PANELS}>
        <Skeleton className="h-67 rounded-2xl!" />
        <Skeleton className="h-67 rounded-2xl!" />
      </div>
    </div>
  )
}
