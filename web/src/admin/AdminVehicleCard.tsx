import { CirclePause } from 'lucide-react'
import { useId } from 'react'
import type { AdminVehicle } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import { provinceName } from '#contract/provinces.ts'
import { vehicleCan } from '#contract/vehicles.ts'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'
import { vehicleName } from '~/vehicles/vehicle-name'
import { AdminStatusBadge } from './AdminStatusBadge.tsx'
import type { Decision } from './decisions.ts'

type Props = { vehicle: AdminVehicle; onDecide: (action: Decision['action']) => void }

/** All three buttons are in one line of a phone, in French too; so they have no icons. */
const narrow = 'px-2.5! sm:px-4!'

/** Shows one vehicle and what an admin can do to it (requirements §2), as an item of a list. */
export function AdminVehicleCard({ vehicle, onDecide }: Props) {
  const { id, plate, province, status, user_id, owner_email, dispute, paused } = vehicle
  const title = useId()
  const hiddenPlate = <span className="sr-only">{plate}</span>
  return (
    <li id={id} tabIndex={-1} aria-labelledby={title} className="rounded-2xl">
      <Card className="grid gap-x-6 gap-y-4 sm:grid-cols-[auto_1fr] sm:items-start lg:grid-cols-[auto_1fr_auto]">
        <Plate plate={plate} province={province} className="justify-self-start" />
        <div className="grid min-w-0 justify-items-start gap-1.5">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h2 id={title} className="text-xl font-bold">
              {vehicleName(vehicle)}
            </h2>
            <p className="text-ink-soft">{provinceName(province, getLocale())}</p>
          </div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <AdminStatusBadge status={status} />
            {paused && <Badge icon={CirclePause}>{m.vehicles_status_paused()}</Badge>}
            {dispute && (
              <Link to={paths.adminInbox('dispute')} className="link py-1">
                {m.admin_dispute_see()}
                {hiddenPlate}
              </Link>
            )}
          </div>
          <Link to={paths.adminUser(user_id)} className="link py-1 wrap-anywhere">
            {owner_email}
          </Link>
        </div>
        {/* below everything on smaller screens, beside the details where there is room */}
        <div className="flex flex-wrap gap-x-2 gap-y-2 sm:col-span-full sm:gap-x-3 lg:col-auto">
          {vehicleCan('approve', vehicle) && (
            <Button className={narrow} onClick={() => onDecide('approve')}>
              {m.admin_approve()}
              {hiddenPlate}
            </Button>
          )}
          {vehicleCan('reject', vehicle) && (
            <Button className={narrow} onClick={() => onDecide('reject')}>
              {m.admin_reject()}
              {hiddenPlate}
            </Button>
          )}
          <Button variant="ghost" className="text-danger! ml-auto" onClick={() => onDecide('delete')}>
            {m.vehicles_delete()}
            {hiddenPlate}
          </Button>
        </div>
      </Card>
    </li>
  )
}
