import { useRef, useState } from 'react'
import type { Vehicle } from '#contract/vehicles.ts'
import { useDeleteVehicle } from './use-delete-vehicle.ts'

/** Why an owner removes a vehicle: to be rid of it, or to leave a dispute over its plate. */
export type RemovalReason = 'deleted' | 'sold' | 'withdrawn'

export type Removal = { vehicle: Vehicle; reason: RemovalReason }

/**
 * Removing own vehicles from a page: `ask` opens the `RemoveVehicleDialog`, which takes `dialog` as its props.
 *
 * @param onRemove called when it was confirmed, before the server has answered
 */
export function useRemoveVehicle(onRemove?: (vehicle: Vehicle) => void) {
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
      onConfirm: ({ vehicle }: Removal) => {
        isConfirmed.current = true
        setOpen(false)
        mutate(vehicle)
        onRemove?.(vehicle)
      },
      /** The button that asked left with its card: then the focus needs another place. */
      wasConfirmed: () => isConfirmed.current,
    },
  }
}
