import { BadgeCheck, Ban, Scale } from 'lucide-react'
import { lazy, Suspense, useId } from 'react'
import type { AdminDispute, DisputeSide } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import { type Province, provinceName } from '#contract/provinces.ts'
import { vehicleCan } from '#contract/vehicles.ts'
import { formatDate, formatDateTime, formatDueDate } from '~/lib/dates/dates'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Checkbox } from '~/ui/Checkbox'
import { Plate } from '~/ui/Plate'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { vehicleName } from '~/vehicles/vehicle-name'
import { AdminStatusBadge } from './AdminStatusBadge.tsx'
import { DueBadge } from './DueBadge.tsx'

const SideDocuments = lazy(() =>
  import('./documents/SideDocuments.tsx').then((module) => ({ default: module.SideDocuments })),
)

export type SideDecision = 'approve' | 'reject'

type Props = {
  dispute: AdminDispute
  onDocuments: (received: boolean) => void
  onDecide: (action: SideDecision, side: DisputeSide) => void
}

/** Shows one dispute: both sides next to each other, and what an admin can do. */
export function DisputeCard({ dispute, onDocuments, onDecide }: Props) {
  const { plate, province, opened_at, documents_due_at, documents_received_at } = dispute
  const title = useId()
  return (
    <li aria-labelledby={title}>
      <Card className="grid gap-5">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="grid gap-1">
            <h2 id={title} className="flex items-center gap-2.5 text-xl font-bold">
              <Scale aria-hidden="true" className="size-6 shrink-0" />
              {m.admin_dispute_of({ plate })}
            </h2>
            <p className="flex flex-wrap gap-x-4 text-sm text-ink-soft">
              <span>{provinceName(province, getLocale())}</span>
              <span>{m.admin_dispute_opened({ date: formatDate(opened_at) })}</span>
            </p>
          </div>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {m.admin_documents_due({ date: formatDueDate(documents_due_at) })}
            <DueBadge dispute={dispute} />
          </p>
        </div>
        <div className="grid gap-4 md:grid-cols-2">
          <DisputeSidePanel
            heading={m.admin_side_incumbent()}
            side={dispute.incumbent}
            arrivedAt={dispute.incumbent.documents_arrived_at}
            province={province}
            onDecide={(action) => onDecide(action, dispute.incumbent)}
          />
          <DisputeSidePanel
            heading={m.admin_side_challenger()}
            side={dispute.challenger}
            arrivedAt={documents_received_at}
            province={province}
            onDecide={(action) => onDecide(action, dispute.challenger)}
          />
        </div>
        <div>
          <Checkbox
            label={
              <span className="font-bold">
                {m.admin_documents_received()}
                <span className="sr-only"> {plate}</span>
              </span>
            }
            checked={documents_received_at !== null}
            // what was uploaded has arrived, whatever is in it
            disabled={dispute.challenger.documents.length > 0}
            onChange={(event) => onDocuments(event.target.checked)}
          />
          <p role="status" className="max-w-3xl pl-9 text-sm text-ink-soft">
            {documents_received_at
              ? m.admin_documents_received_at({ time: formatDateTime(documents_received_at) })
              : m.admin_documents_missing()}
          </p>
        </div>
      </Card>
    </li>
  )
}

type DisputeSidePanelProps = {
  heading: string
  side: DisputeSide
  /** When its documents arrived: of the challenger, what the page shows while a mark is on its way. */
  arrivedAt: string | null
  province: Province
  onDecide: (action: SideDecision) => void
}

function DisputeSidePanel({ heading, side, arrivedAt, province, onDecide }: DisputeSidePanelProps) {
  const { plate, status, owner_name, owner_email, registered_at, documents } = side
  const title = useId()
  // the page lists several disputes, each with buttons like these
  const hiddenSide = (
    <span className="sr-only">
      {heading} {plate}
    </span>
  )
  return (
    <section aria-labelledby={title} className="flex flex-col gap-4 rounded-xl bg-sunken p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id={title} className="text-lg font-bold">
          {heading}
          <span className="sr-only"> {plate}</span>
        </h3>
        <AdminStatusBadge status={status} />
      </div>
      <Plate plate={plate} province={province} />
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="font-bold">{vehicleName(side)}</p>
          <Link to={paths.adminVehicles(plate)} className="link inline-flex min-h-11 items-center">
            {m.admin_side_see()}
            {hiddenSide}
          </Link>
        </div>
        <dl className="grid gap-3">
          <div>
            <dt className="text-sm text-ink-soft">{m.admin_side_owner()}</dt>
            {owner_name && <dd className="wrap-anywhere">{owner_name}</dd>}
            <dd className="wrap-anywhere">{owner_email}</dd>
          </div>
          <div>
            <dt className="text-sm text-ink-soft">{m.admin_side_registered()}</dt>
            <dd>
              <DateTime iso={registered_at} />
            </dd>
          </div>
          <Suspense>
            <SideDocuments arrivedAt={arrivedAt} documents={documents} plate={plate} hiddenSide={hiddenSide} />
          </Suspense>
        </dl>
      </div>
      <div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-2 pt-1">
        {vehicleCan('approve', side) && (
          <Button onClick={() => onDecide('approve')}>
            <BadgeCheck aria-hidden="true" className="size-5" />
            {m.admin_side_approve()}
            {hiddenSide}
          </Button>
        )}
        {vehicleCan('reject', side) && (
          <Button onClick={() => onDecide('reject')}>
            <Ban aria-hidden="true" className="size-5" />
            {m.admin_reject()}
            {hiddenSide}
          </Button>
        )}
      </div>
    </section>
  )
}
