import { queryOptions, useQuery } from '@tanstack/react-query'
import { CarFront, KeyRound, type LucideIcon, Mail, Plus, Send } from 'lucide-react'
import { useState } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { type Dashboard, getDashboard } from '#contract/dashboard.ts'
import { paths } from '#contract/paths.ts'
import { isPlate } from '#contract/plates.ts'
import { call, urlOf } from '~/lib/http/api'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { plateToRegister } from '~/lib/registration/carried-plate'
import { displayName, type User, useUser } from '~/lib/session/user'
import { CarriedNote } from '~/notes/CarriedNote'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Plate } from '~/ui/Plate'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { DisputeNotice } from '~/vehicles/DisputeNotice'
import { useDeletingVehicleIds } from '~/vehicles/use-delete-vehicle'
import { LatestVehicles } from './LatestVehicles.tsx'
import { RecentMessages } from './RecentMessages.tsx'

/** Fetches the figures and the latest items of the dashboard. */
const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => call(getDashboard, {}, { signal }),
  refetchOnWindowFocus: 'always', // there is no notification when a dispute begins or is resolved
})

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

/** Shows /dashboard: the figures, the latest messages and vehicles, and what to do next. */
export default function DashboardPage() {
  const user = useUser()
  const { data: loaded, error, refetch } = useQuery(dashboardQuery)
  const deletingIds = useDeletingVehicleIds()
  const data = loaded && withoutVehicles(loaded, deletingIds)
  const isEmpty = data !== undefined && isEmptyDashboard(data)

  return (
    <>
      <PageHeader
        title={greeting(user)}
        action={!isEmpty && <QuickActions primary={data?.recent_vehicles.length === 0 ? 'add' : 'send'} />}
      />
      {data ? (
        <div className="grid gap-5">
          {data.recent_vehicles.length > 0 && <CarriedNote />}
          {isEmpty && <OnboardingCard />}
          <DisputeNotices vehicles={data.disputed_vehicles} />
          <div className="grid grid-cols-2 gap-3 sm:gap-5">
            <StatCard
              title={m.dashboard_registered_vehicles()}
              icon={CarFront}
              stat={data.vehicles}
              to={paths.vehicles()}
            />
            <StatCard
              title={m.dashboard_total_messages()}
              icon={Mail}
              stat={data.messages}
              to={paths.messages('received')}
            />
          </div>
          {!isEmpty && (
            <div className="grid gap-5 xl:grid-cols-2">
              <RecentMessages messages={data.recent_messages} unread={data.messages.unread} />
              <LatestVehicles vehicles={data.recent_vehicles} />
            </div>
          )}
          <Link to={paths.note()} className="link inline-flex items-center gap-2 justify-self-start py-2.5">
            <KeyRound aria-hidden="true" className="size-5" />
            {m.dashboard_enter_code()}
          </Link>
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <DashboardSkeleton />
      )}
    </>
  )
}

/** Shows a new user what to do first, and why. */
function OnboardingCard() {
  const [carried] = useState(plateToRegister)
  const plate = isPlate(carried) ? carried : '' // anything else is in the form, which says what is wrong with it
  return (
    <Card className="grid items-center gap-6 sm:grid-cols-[1fr_auto] sm:gap-10 sm:p-8">
      <div className="grid gap-3">
        <h2 className="text-2xl font-extrabold">{m.dashboard_first_title()}</h2>
        <p className="max-w-prose text-ink-soft">{m.dashboard_first_text()}</p>
        <div className="flex flex-wrap gap-3 pt-2 *:flex-1 sm:*:flex-none">
          <QuickActions primary="add" />
        </div>
      </div>
      <div aria-hidden="true" className="-order-1 justify-self-center sm:order-none sm:w-64">
        <Plate plate={plate || m.dashboard_first_plate()} size="lg" className="w-56! -rotate-2 sm:w-64!" />
      </div>
    </Card>
  )
}

/** Links to the two main actions; `primary` is the one that matters now. */
function QuickActions({ primary }: { primary: 'add' | 'send' }) {
  return (
    <>
      <ButtonLink
        to={paths.newVehicle()}
        variant={primary === 'add' ? 'primary' : 'secondary'}
        className="whitespace-nowrap"
      >
        <Plus aria-hidden="true" className="size-5" />
        {m.dashboard_add_vehicle()}
      </ButtonLink>
      <ButtonLink
        to={paths.send()}
        variant={primary === 'send' ? 'primary' : 'secondary'}
        className="whitespace-nowrap"
      >
        <Send aria-hidden="true" className="size-5" />
        {m.dashboard_send_message()}
      </ButtonLink>
    </>
  )
}

type StatCardProps = {
  title: string
  icon: LucideIcon
  stat: { total: number; this_month: number }
  /** The page of what is counted. */
  to: string
}

/** Shows a total and its growth this month; the whole card links to what it counts. */
function StatCard({ title, icon: Icon, stat, to }: StatCardProps) {
  const numberFormat = new Intl.NumberFormat(getLocale())
  return (
    <Link
      to={to}
      className="grid gap-1 rounded-2xl border border-line bg-surface p-4 shadow-card hover:border-line-strong sm:p-6"
    >
      <span className="flex items-start justify-between gap-2 leading-tight font-semibold text-ink-soft">
        {title}
        <Icon aria-hidden="true" className="size-5 shrink-0" />
      </span>
      <span className="text-4xl leading-tight font-extrabold tabular-nums">{numberFormat.format(stat.total)}</span>
      <span className="text-sm text-ink-soft">
        {m.dashboard_this_month({ count: numberFormat.format(stat.this_month) })}
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

const ROWS = ['first', 'second', 'third']

/** Stands in for the dashboard while its data loads. */
function DashboardSkeleton() {
  return (
    <Loading>
      <div className="grid gap-5">
        <div className="grid grid-cols-2 gap-3 sm:gap-5">
          {['vehicles', 'messages'].map((stat) => (
            <div key={stat} className="grid gap-3 rounded-2xl border border-line bg-surface p-4 sm:p-6">
              <Skeleton className="h-4 w-24" />
              <Skeleton className="h-9 w-14" />
              <Skeleton className="h-3.5 w-20" />
            </div>
          ))}
        </div>
        <div className="grid gap-5 xl:grid-cols-2">
          {['messages', 'vehicles'].map((panel) => (
            <div key={panel} className="grid gap-6 rounded-2xl border border-line bg-surface p-5 sm:p-6">
              <Skeleton className="h-6 w-40" />
              {ROWS.map((row) => (
                <div key={row} className="flex gap-4">
                  <Skeleton className="h-14 w-28 shrink-0" />
                  <div className="grid flex-1 content-start gap-2">
                    <Skeleton className="h-4 w-full" />
                    <Skeleton className="h-4 w-1/2" />
                  </div>
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </Loading>
  )
}
