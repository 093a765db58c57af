import { useQuery } from '@tanstack/react-query'
import { CarFront, Mail } from 'lucide-react'
import type { Dashboard } from '#contract/dashboard.ts'
import { paths } from '#contract/paths.ts'
import { displayName, type User, useUser } from '~/lib/user'
import { m } from '~/paraglide/messages'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { useVehiclesBeingDeleted } from '~/vehicles/use-delete-vehicle'
import { Actions } from './Actions.tsx'
import { DashboardLoading } from './DashboardLoading.tsx'
import { Disputes } from './Disputes.tsx'
import { FirstPlate } from './FirstPlate.tsx'
import { LatestVehicles } from './LatestVehicles.tsx'
import { dashboard } from './queries.ts'
import { RecentMessages } from './RecentMessages.tsx'
import { StatCard } from './StatCard.tsx'

const isNew = (data: Dashboard) => data.recent_vehicles.length === 0 && data.messages.total === 0

/** The dashboard as it will be when these vehicles are gone. */
function without(data: Dashboard, leaving: string[]): Dashboard {
  const stays = ({ id }: { id: string }) => !leaving.includes(id)
  return {
    ...data,
    recent_vehicles: data.recent_vehicles.filter(stays),
    disputed_vehicles: data.disputed_vehicles.filter(stays),
  }
}

/** 'Hello, Maya'; somebody without a name is not greeted by an e-mail address. */
function greeting(user: User): string {
  const name = displayName(user).trim()
  return name === '' || name === user.email
    ? m.nav_dashboard()
    : m.dashboard_hello({ name: name.split(/\s+/)[0] ?? '' })
}

/** /dashboard: the numbers, the latest messages and vehicles, and the way to the next thing to do. */
export function DashboardPage() {
  const user = useUser()
  const { data: answer, error, refetch } = useQuery(dashboard)
  const leaving = useVehiclesBeingDeleted()
  const data = answer && without(answer, leaving)
  const first = data !== undefined && isNew(data)

  return (
    <>
      <PageHeader
        title={greeting(user)}
        action={!first && <Actions main={data?.recent_vehicles.length === 0 ? 'add' : 'send'} />}
      />
      {data ? (
        <div className="grid gap-5">
          {first && <FirstPlate />}
          <Disputes vehicles={data.disputed_vehicles} />
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
          {!first && (
            <div className="grid gap-5 xl:grid-cols-2">
              <RecentMessages messages={data.recent_messages} unread={data.messages.unread} />
              <LatestVehicles vehicles={data.recent_vehicles} />
            </div>
          )}
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <DashboardLoading />
      )}
    </>
  )
}
