import { CarFront } from 'lucide-react'
import type { Dashboard } from '#contract/dashboard.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Plate } from '~/ui/Plate'
import { VehicleStatusBadge } from '~/vehicles/VehicleStatusBadge'
import { vehicleName } from '~/vehicles/vehicle-name'
import { DashboardPanel, EmptyPanel } from './DashboardPanel.tsx'

/** Shows the vehicles registered last, with their status. */
export function LatestVehicles({ vehicles }: { vehicles: Dashboard['recent_vehicles'] }) {
  return (
    <DashboardPanel
      title={m.dashboard_latest_vehicles()}
      viewAll={vehicles.length > 0 && { to: paths.vehicles(), text: m.dashboard_all_vehicles() }}
    >
      {vehicles.length === 0 ? (
        <EmptyPanel icon={CarFront}>{m.dashboard_no_vehicles()}</EmptyPanel>
      ) : (
        <ul className="-mx-3 grid">
          {vehicles.map((vehicle) => (
            <li key={vehicle.id}>
              <Link to={paths.vehicles(vehicle.id)} className="flex items-start gap-4 rounded-xl p-3 hover:bg-ink/5">
                <Plate plate={vehicle.plate} province={vehicle.province} size="sm" className="shrink-0" />
                <span className="grid min-w-0 flex-1 justify-items-start gap-1.5">
                  <span className="leading-snug font-bold break-words">{vehicleName(vehicle)}</span>
                  <span className="flex flex-wrap gap-1.5">
                    <VehicleStatusBadge status={vehicle.status} paused={vehicle.paused} />
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </DashboardPanel>
  )
}
