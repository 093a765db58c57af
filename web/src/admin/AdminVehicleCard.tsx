import { BadgeCheck, Ban, CirclePause, Scale, Trash2 } from 'lucide-react'
import { useId } from 'react'
import type { AdminVehicle } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import { provinceName } from '#contract/provinces.ts'
import { vehicleCan } from '#contract/vehicles.ts'
import { formatDate, formatDueDate } from '~/lib/dates/dates'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'
import { vehicleName } from '~/vehicles/vehicle-name'
import { AdminStatusBadge } from './AdminStatusBadge.tsx'
import { DueBadge } from './DueBadge.tsx'
import type { Decision } from './optimistic-decisions.ts'

type Props = { vehicle: AdminVehicle; onDecide: (action: Decision['action']) => void }

/** Shows one vehicle and what an admin can do to it (requirements §2), as an item of a list. */
export function AdminVehicleCard({ vehicle, onDecide }: Props) {
  const { id, plate, province, status, owner_email, created_at, dispute, paused } = vehicle
  const title = useId()
  const hiddenPlate = <span className="sr-only">{plate}</span>
  return (
    <li id={id} tabIndex={-1} aria-labelledby={title} className="rounded-2xl">
      <Card className="grid gap-x-6 gap-y-4 sm:grid-cols-[auto_1fr] sm:items-start lg:grid-cols-[auto_1fr_auto]">
        <Plate plate={plate} province={province} className="justify-self-start" />
        <div className="grid min-w-0 justify-items-start gap-1.5">
          <h2 id={title} className="text-xl font-bold">
            {vehicleName(vehicle)}
          </h2>
          <p className="text-ink-soft">{provinceName(province, getLocale())}</p>
          <div className="flex flex-wrap gap-1.5 py-1">
            <AdminStatusBadge status={status} />
            {paused && <Badge icon={CirclePause}>{m.vehicles_status_paused()}</Badge>}
          </div>
          <p className="wrap-anywhere">{owner_email}</p>
          <p className="text-sm text-ink-soft">{m.admin_registered_on({ date: formatDate(created_at) })}</p>
        </div>
        {/* below everything on smaller screens, beside the details where there is room */}
        <div className="order-last flex flex-wrap gap-x-3 gap-y-2 border-t border-line pt-4 sm:col-span-full lg:order-none lg:col-auto lg:min-w-36 lg:flex-col lg:border-0 lg:pt-0">
          {vehicleCan('approve', vehicle) && (
            <Button className="lg:justify-start!" onClick={() => onDecide('approve')}>
              <BadgeCheck aria-hidden="true" className="size-5" />
              {m.admin_approve()}
              {hiddenPlate}
            </Button>
          )}
          {vehicleCan('reject', vehicle) && (
            <Button className="lg:justify-start!" onClick={() => onDecide('reject')}>
              <Ban aria-hidden="true" className="size-5" />
              {m.admin_reject()}
              {hiddenPlate}
            </Button>
          )}
          <Button
            variant="ghost"
            className="text-danger! ml-auto lg:ml-0 lg:justify-start!"
            onClick={() => onDecide('delete')}
          >
            <Trash2 aria-hidden="true" className="size-5" />
            {m.vehicles_delete()}
            {hiddenPlate}
          </Button>
        </div>
        {dispute && <DisputeSummary dispute={dispute} />}
      </Card>
    </li>
  )
}

function DisputeSummary({ dispute }: { dispute: NonNullable<AdminVehicle['dispute']> }) {
  const challenger = dispute.role === 'challenger'
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl bg-signal-soft px-4 py-2 sm:col-span-full">
      <p className="flex items-center gap-2 font-bold">
        <Scale aria-hidden="true" className="size-5 shrink-0" />
        {challenger ? m.admin_dispute_role_challenger() : m.admin_dispute_role_incumbent()}
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {m.admin_documents_due({ date: formatDueDate(dispute.documents_due_at) })}
        <DueBadge dispute={dispute} />
      </p>
      <Link to={paths.adminInbox('dispute')} className="link inline-flex min-h-11 items-center sm:ml-auto">
        {m.admin_dispute_see()}
      </Link>
    </div>
  )
}
