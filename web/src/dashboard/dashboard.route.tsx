import { useQuery } from '@tanstack/react-query'
import { CarFront, KeyRound, Mail, Plus, Send } from 'lucide-react'
import { useState } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { type Dashboard, getDashboard } from '#contract/dashboard.ts'
import { paths } from '#contract/paths.ts'
import { isPlate } from '#contract/plates.ts'
import { urlOf } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
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
import { useDeletingVehicleIds } from '~/vehicles/use-delete-vehicle'
import { DashboardSkeleton } from './DashboardSkeleton.tsx'
import { DisputeNotices } from './DisputeNotices.tsx'
import { LatestVehicles } from './LatestVehicles.tsx'
import { dashboardQuery } from './queries.ts'
import { RecentMessages } from './RecentMessages.tsx'
import { StatCard } from './StatCard.tsx'

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
