import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import type { ArrivedDocuments } from '#contract/documents.ts'
import { paths } from '#contract/paths.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { documentsQuery } from '~/documents/queries'
import { SendDocuments } from '~/documents/SendDocuments'
import { formatDueDate } from '~/lib/dates/dates'
import { href } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { siteSetting, supportMailto } from '~/lib/page/site'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Disclosure } from '~/ui/Disclosure'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Plate } from '~/ui/Plate'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { type Dispute, haveDocumentsArrived, textsOfSide } from './dispute-sides.ts'
import { ownVehiclesQuery, prefetchOwnVehicles } from './queries.ts'
import { RemoveVehicleDialog, useRemoval } from './RemoveVehicleDialog.tsx'

export const handle: RouteHandle = { prefetch: [ownVehiclesQuery] }

export const clientLoader = prefetchOwnVehicles

export const meta = () => privatePageMeta(m.page_dispute())

/** Renders /dashboard/vehicles/:id/dispute: until when one side of a dispute over a plate sends what, and what follows (decision plate-disputes). */
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
  const { title, text, next, exit } = textsOfSide(vehicle, dispute)
  const date = formatDueDate(dispute.documents_due_at)
  // still open after its due date: the challenger's documents have arrived, and a decision is pending (decision plate-disputes)
  const isPastDue = Date.parse(dispute.documents_due_at) < useNow()
  if (documents.isPending) return <Loading>{DISPUTE_SKELETON}</Loading>
  // documents can be sent all the same where it could not be loaded what has arrived
  const arrived: ArrivedDocuments = documents.data ?? { items: [], mailed_at: null, waits_for_admin: false }
  const hasSent = haveDocumentsArrived(dispute, arrived)
  const supportEmail = siteSetting('SUPPORT_EMAIL')
  return (
    <div className="grid gap-6">
      <div role="status" className="grid gap-1">
        <p className="text-xl font-extrabold">
          {isPastDue
            ? m.vehicles_dispute_late({ date })
            : hasSent
              ? m.vehicles_dispute_arrived()
              : m.vehicles_dispute_ask({ date })}
        </p>
        {hasSent && !isPastDue && <p>{m.vehicles_dispute_until({ date })}</p>}
        {arrived.waits_for_admin && <p>{m.vehicles_dispute_waiting()}</p>}
      </div>
      <div className="flex items-center gap-4 max-[18rem]:flex-wrap sm:gap-6">
        <Plate plate={vehicle.plate} province={vehicle.province} className="shrink-0 max-sm:w-[min(7rem,35vw)]!" />
        <div className="grid gap-1">
          <p className="font-bold">{title()}</p>
          <p className="max-w-prose text-ink-soft">{text()}</p>
        </div>
      </div>
      <SendDocuments
        vehicleId={vehicle.id}
        plate={vehicle.plate}
        documents={arrived}
        endsWithoutDocuments={isPastDue && dispute.role === 'challenger'}
      />
      {!isPastDue && !arrived.waits_for_admin && <p className="max-w-prose whitespace-pre-line">{next()}</p>}
      <div className="grid gap-2">
        {!hasSent && <p className="max-w-prose text-sm text-ink-soft">{m.documents_hint()}</p>}
        <Disclosure title={m.vehicles_dispute_other_way()} className="max-w-prose">
          <p>
            {m.vehicles_dispute_other_way_text()}{' '}
            <a href={supportMailto(m.vehicles_dispute_subject({ plate: vehicle.plate }))} className="link">
              {verbatim(m.vehicles_dispute_write({ address: supportEmail }), supportEmail)}
            </a>
          </p>
        </Disclosure>
      </div>
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
