import { useRef } from 'react'
import type { Dashboard } from '#contract/dashboard.ts'
import { m } from '~/paraglide/messages'
import { DisputeNotice } from '~/vehicles/DisputeNotice'
import { RemovalDialog } from '~/vehicles/RemovalDialog'
import { useRemoval } from '~/vehicles/use-removal'

/** What is asked of the owner while somebody else claims one of the plates. */
export function Disputes({ vehicles }: { vehicles: Dashboard['disputed_vehicles'] }) {
  const place = useRef<HTMLElement>(null)
  const { ask, dialog } = useRemoval()
  return (
    <section
      ref={place}
      aria-label={vehicles.length > 0 ? m.dashboard_disputes() : undefined} // unnamed, it is no region
      tabIndex={-1}
      className="grid gap-4 outline-none empty:sr-only"
    >
      {vehicles.map(
        (vehicle) =>
          vehicle.dispute && (
            <DisputeNotice
              key={vehicle.id}
              apart
              vehicle={vehicle}
              dispute={vehicle.dispute}
              onRemove={(reason) => ask({ vehicle, reason })}
            />
          ),
      )}
      <RemovalDialog {...dialog} focusAfter={() => place.current} />
    </section>
  )
}
