import { useRef } from 'react'
import type { Dashboard } from '#contract/dashboard.ts'
import { m } from '~/paraglide/messages'
import { DisputeNotice } from '~/vehicles/DisputeNotice'
import { RemoveVehicleDialog } from '~/vehicles/RemoveVehicleDialog'
import { useRemoveVehicle } from '~/vehicles/use-remove-vehicle'

/** Shows what the owner has to do while somebody else claims one of the plates. */
export function DisputeNotices({ vehicles }: { vehicles: Dashboard['disputed_vehicles'] }) {
  const sectionRef = useRef<HTMLElement>(null)
  const { openDialog, dialog } = useRemoveVehicle()
  return (
    <section
      ref={sectionRef}
      aria-label={vehicles.length > 0 ? m.dashboard_disputes() : undefined} // unnamed, it is no region
      tabIndex={-1}
      className="grid gap-4 outline-none empty:sr-only"
    >
      {vehicles.map(
        (vehicle) =>
          vehicle.dispute && (
            <DisputeNotice
              key={vehicle.id}
              standalone
              vehicle={vehicle}
              dispute={vehicle.dispute}
              onRemove={(reason) => openDialog({ vehicle, reason })}
            />
          ),
      )}
      <RemoveVehicleDialog {...dialog} focusAfter={() => sectionRef.current} />
    </section>
  )
}
