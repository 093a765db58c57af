import type { Dashboard } from '#contract/dashboard.ts'
import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'
import { VehicleStatusBadge } from '~/vehicles/VehicleStatusBadge'
import { vehicleName } from '~/vehicles/vehicle-name'
import { DashboardPanel, DashboardRow } from './DashboardPanel.tsx'

/** Shows the vehicles registered last, with their status. */
export function LatestVehicles({ vehicles }: { vehicles: Dashboard['recent_vehicles'] }) {
  return (
    <DashboardPanel title={m.dashboard_latest_vehicles()} to={paths.vehicles()} empty={m.dashboard_no_vehicles()}>
      {vehicles.map((vehicle) => (
        <DashboardRow
          key={vehicle.id}
          to={paths.vehicles(vehicle.id)}
          plate={vehicle.plate}
          province={vehicle.province}
        >
          <span className="grid min-w-0 flex-1 gap-1">
            <span className="leading-snug font-bold break-words">{vehicleName(vehicle)}</span>
            <span className="flex flex-wrap gap-1.5">
              <VehicleStatusBadge status={vehicle.status} paused={vehicle.paused} />
            </span>
          </span>
        </DashboardRow>
      ))}
    </DashboardPanel>
  )
}
