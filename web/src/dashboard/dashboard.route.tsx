import { queryOptions, useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Plus, Send } from 'lucide-react'
import { shownEmail } from '#contract/auth.ts'
import { type Dashboard, getDashboard } from '#contract/dashboard.ts'
import { paths } from '#contract/paths.ts'
import { call, urlOf } from '~/lib/http/api'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { displayName, type User, useUser } from '~/lib/session/user'
import { CarriedNote } from '~/notes/CarriedNote'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { ErrorState } from '~/ui/ErrorState'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { DisputeNotice } from '~/vehicles/DisputeNotice'
import { useDeletingVehicleIds } from '~/vehicles/use-delete-vehicle'
import { LatestVehicles } from './LatestVehicles.tsx'
import { RecentMessages } from './RecentMessages.tsx'
import { WaitingMessage } from './WaitingMessage.tsx'

// loaded on demand: only who has just signed up sees it
const loadOnboarding = () => import('./OnboardingCard.tsx')

/** Fetches the figures and the latest items of the dashboard. */
const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => call(getDashboard, {}, { signal }),
  refetchOnWindowFocus: 'always', // there is no notification when a dispute begins or is resolved
})

// the layout, which the page and its skeleton share
const GRID = 'grid grid-cols-1 gap-4 sm:gap-5'
const PAIR = 'grid grid-cols-2 gap-3 sm:gap-5'
const PANELS = 'grid grid-cols-1 gap-4 sm:gap-5 xl:grid-cols-2'
const STAT = 'grid grid-cols-1 content-between gap-1 rounded-2xl border border-line bg-surface p-3 sm:p-5'

const FIRST = urlOf(getDashboard, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchQuery(dashboardQuery))

export const meta = () => privatePageMeta(m.nav_dashboard())

const isEmptyDashboard = (data: Dashboard) => data.recent_vehicles.length === 0 && data.messages.total === 0

/** Returns the dashboard without these vehicles, which are being deleted. */
function withoutVehicles(data: Dashboard, deletingIds: string[]): Dashboard {
  const remains = ({ id }: { id: string }) => !deletingIds.includes(id)
  return {
    ...data,
    recent_vehicles: data.recent_vehicles.filter(remains),
    disputed_vehicles: data.disputed_vehicles.filter(remains),
  }
}

/** Returns 'Hello, Maya'; a user without a name is not greeted by the email address. */
function greeting(user: User): string {
  const name = displayName(user).trim()
  return name === '' || name === shownEmail(user)
    ? m.nav_dashboard()
    : m.dashboard_hello({ name: name.split(/\s+/)[0] ?? '' })
}

/** Shows /dashboard: what waits for the user, the figures, and the latest messages and vehicles. */
export default function DashboardPage() {
  const user = useUser()
  const { data: loaded, error, refetch } = useQuery(dashboardQuery)
  const deletingIds = useDeletingVehicleIds()
  const data = loaded && withoutVehicles(loaded, deletingIds)
  const isEmpty = data !== undefined && isEmptyDashboard(data)
  const needsUser = data !== undefined && (data.waiting.newest !== null || data.disputed_vehicles.length > 0)

  return (
    <div className={GRID}>
      <header className="grid grid-cols-1 gap-4 sm:grid-cols-[1fr_auto] sm:items-end">
        <h1 className="text-3xl font-extrabold sm:text-4xl">{greeting(user)}</h1>
        {data && (
          // first on a phone too, before the buttons
          <div className="contents sm:*:order-last sm:*:col-span-full">
            <WaitingMessage waiting={data.waiting} />
            <DisputeNotices vehicles={data.disputed_vehicles} />
            {data.recent_vehicles.length > 0 && <CarriedNote />}
          </div>
        )}
        {!isEmpty && (
          <div className="flex flex-wrap gap-2 *:flex-1 max-sm:*:px-2.5 sm:gap-3 sm:*:flex-none">
            <QuickActions primary={needsUser ? null : data?.recent_vehicles.length === 0 ? 'add' : 'send'} />
          </div>
        )}
      </header>
      {data ? (
        <>
          {isEmpty && (
            <LoadedPart name="onboarding" load={loadOnboarding} skeleton={<Skeleton className="h-80 sm:h-56" />}>
              {({ OnboardingCard }) => (
                <OnboardingCard>
                  <QuickActions primary="add" />
                </OnboardingCard>
              )}
            </LoadedPart>
          )}
          <div className={PAIR}>
            <StatCard title={m.dashboard_registered_vehicles()} stat={data.vehicles} to={paths.vehicles()} />
            <StatCard title={m.dashboard_total_messages()} stat={data.messages} to={paths.messages('received')} />
          </div>
          {!isEmpty && (
            <div className={PANELS}>
              <RecentMessages messages={data.recent_messages} unread={data.messages.unread} />
              <LatestVehicles vehicles={data.recent_vehicles} />
            </div>
          )}
          <Link to={paths.note()} className="link justify-self-start py-2.5">
            {m.dashboard_enter_code()}
          </Link>
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <DashboardSkeleton />
      )}
    </div>
  )
}

/** Links to the two main actions; `primary` is the one that matters now, null: something else does. */
function QuickActions({ primary }: { primary: 'add' | 'send' | null }) {
  return (
    <>
      <ButtonLink
        to={paths.newVehicle()}
        variant={primary === 'add' ? 'primary' : 'secondary'}
        className="min-[18rem]:whitespace-nowrap"
      >
        <Plus aria-hidden="true" className="size-5 max-sm:hidden" />
        {m.dashboard_add_vehicle()}
      </ButtonLink>
      <ButtonLink
        to={paths.send()}
        variant={primary === 'send' ? 'primary' : 'secondary'}
        className="min-[18rem]:whitespace-nowrap"
      >
        <Send aria-hidden="true" className="size-5 max-sm:hidden" />
        {m.dashboard_send_message()}
      </ButtonLink>
    </>
  )
}

type StatCardProps = {
  title: string
  stat: { total: number; this_month: number }
  /** The page of what is counted. */
  to: string
}

/** Shows a total and its growth this month; the whole card links to what it counts. */
function StatCard({ title, stat, to }: StatCardProps) {
  const numberFormat = new Intl.NumberFormat(getLocale())
  return (
    <Link to={to} className={clsx(STAT, 'shadow-card hover:border-line-strong')}>
      <span className="leading-tight font-semibold text-ink-soft max-sm:text-sm">{title}</span>
      <span className="flex flex-wrap items-baseline gap-x-2 text-sm text-ink-soft">
        <span className="text-3xl leading-tight font-extrabold text-ink tabular-nums">
          {numberFormat.format(stat.total)}
        </span>
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

/** Stands in for the dashboard while its data loads. */
function DashboardSkeleton() {
  return (
    <Loading>
      <div className={GRID}>
        <div className={PAIR}>
          {['vehicles', 'messages'].map((stat) => (
            <div key={stat} className={STAT}>
              <Skeleton className="h-4.5 w-24 sm:h-5" />
              <Skeleton className="h-9.5 w-14" />
            </div>
          ))}
        </div>
        <div className={PANELS}>
          {['messages', 'vehicles'].map((panel) => (
            <Card key={panel} className="px-4! pt-1! pb-2! sm:px-5!">
              <Skeleton className="my-3 h-6 w-40" />
              <div className="divide-y divide-line">
                {['first', 'second', 'third'].map((row) => (
                  <div key={row} className="flex h-16 items-center gap-3">
                    <Skeleton className="h-10 w-20" />
                    <Skeleton className="h-5 w-40" />
                  </div>
                ))}
              </div>
            </Card>
          ))}
        </div>
      </div>
    </Loading>
  )
}
