import { useRef, useState } from 'react'
import type { Vehicle } from '#contract/vehicles.ts'
import { useDeleteVehicle } from './use-delete-vehicle.ts'

/** Why an owner removes a vehicle: to delete it, or to leave a dispute over its plate. */
export type RemovalReason = 'deleted' | 'sold' | 'withdrawn'

type Removal = { vehicle: Vehicle; reason: RemovalReason }

/**
 * Removes vehicles from a page: `openDialog` opens the `RemoveVehicleDialog`, which gets `dialog` as its props.
 *
 * @param onRemove called on confirmation; the removal follows, so that what is said of it is said on the page that this leads to
 */
export function useRemoveVehicle(onRemove?: (vehicle: Vehicle) => Promise<void> | void) {
  const { mutate } = useDeleteVehicle()
  const [pendingRemoval, setPendingRemoval] = useState<Removal>()
  const [open, setOpen] = useState(false)
  const isConfirmed = useRef(false)

  return {
    openDialog: (removal: Removal) => {
      isConfirmed.current = false
      setPendingRemoval(removal)
      setOpen(true)
    },
    dialog: {
      pending: pendingRemoval,
      open,
      onOpenChange: setOpen,
      onConfirm: async ({ vehicle }: Removal) => {
        isConfirmed.current = true
        setOpen(false)
        await onRemove?.(vehicle)
        mutate(vehicle)
      },
      /** Returns whether the vehicle was removed, and with its card the button that had the focus. */
      wasConfirmed: () => isConfirmed.current,
    },
  }
}
