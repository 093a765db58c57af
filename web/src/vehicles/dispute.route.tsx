import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { documentsQuery } from '~/documents/queries'
import { href } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Plate } from '~/ui/Plate'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { DisputeSteps } from './DisputeSteps.tsx'
import { type Dispute, textsOfSide } from './dispute-sides.ts'
import { ownVehiclesQuery, prefetchOwnVehicles } from './queries.ts'
import { RemoveVehicleDialog, useRemoval } from './RemoveVehicleDialog.tsx'
import { VehicleName } from './vehicle-name.ts'

export const handle: RouteHandle = { prefetch: [ownVehiclesQuery] }

export const clientLoader = prefetchOwnVehicles

export const meta = () => privatePageMeta(m.page_dispute())

/** Renders /dashboard/vehicles/:id/dispute: what one side of a dispute over a plate has to do, step by step (decision plate-disputes). */
export default function DisputePage() {
  const { id = '' } = useParams()
  const query = useQuery(ownVehiclesQuery)
  const vehicle = query.data?.find((own) => own.id === id)
  const isKnown = vehicle?.dispute || query.isFetchedAfterMount || !query.isFetching
  return (
    <div className="max-w-3xl">
      <PageHeader back={{ to: paths.vehicles(vehicle?.id), text: m.nav_vehicles() }} title={m.page_dispute()} />
      <Loaded query={{ ...query, data: isKnown ? query.data : undefined }} skeleton={DISPUTE_SKELETON}>
        {() =>
          vehicle?.dispute ? (
            <OpenDispute key={id} vehicle={vehicle} dispute={vehicle.dispute} />
          ) : (
            <div role="status">
              <EmptyState
                icon={Scale}
                title={m.vehicles_dispute_none()}
                action={<ButtonLink to={paths.vehicles(vehicle?.id)}>{m.vehicles_see_mine()}</ButtonLink>}
              >
                {m.vehicles_dispute_none_text()}
              </EmptyState>
            </div>
          )
        }
      </Loaded>
    </div>
  )
}

type Props = { vehicle: Vehicle; dispute: Dispute }

function OpenDispute({ vehicle, dispute }: Props) {
  const documents = useQuery(documentsQuery(vehicle.id))
  const navigate = useNavigate()
  const { ask, dialog } = useRemoval()
  const { text, exit } = textsOfSide(vehicle, dispute)
  if (documents.isPending) return <Loading>{DISPUTE_SKELETON}</Loading>
  return (
    <div className="grid gap-6">
      <div className="flex items-center gap-4 max-[18rem]:flex-wrap sm:gap-6">
        <Plate plate={vehicle.plate} province={vehicle.province} className="shrink-0 max-sm:w-[min(7rem,35vw)]!" />
        <div className="grid gap-1">
          <p className="font-bold">
            <VehicleName of={vehicle} />
          </p>
          <p className="max-w-prose text-ink-soft">{text()}</p>
        </div>
      </div>
      <DisputeSteps vehicle={vehicle} dispute={dispute} documents={documents.data} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
        <p>{exit.question()}</p>
        <Button onClick={() => ask(vehicle, exit.reason)}>{exit.text()}</Button>
      </div>
      <RemoveVehicleDialog {...dialog} onRemove={() => navigate(href(paths.vehicles()))} />
    </div>
  )
}

const DISPUTE_SKELETON = (
  <div className="grid gap-6">
    <Skeleton className="h-22 w-full" />
    <Skeleton className="h-96 rounded-2xl!" />
  </div>
)
