import { useRef, useState } from 'react'
import type { Vehicle } from '#contract/vehicles.ts'
import { useDeleteVehicle } from './use-delete-vehicle.ts'

/** Why an owner removes a vehicle: to be rid of it, or to leave a dispute over its plate. */
export type RemovalReason = 'deleted' | 'sold' | 'withdrawn'

export type Removal = { vehicle: Vehicle; reason: RemovalReason }

/**
 * Removing own vehicles from a page: `ask` opens the `RemovalDialog`, which takes `dialog` as its props.
 *
 * @param onRemove called when it was confirmed, before the server has answered
 */
export function useRemoval(onRemove?: (vehicle: Vehicle) => void) {
  const { mutate } = useDeleteVehicle()
  const [asked, setAsked] = useState<Removal>()
  const [open, setOpen] = useState(false)
  const removed = useRef(false)

  return {
    ask: (removal: Removal) => {
      removed.current = false
      setAsked(removal)
      setOpen(true)
    },
    dialog: {
      asked,
      open,
      onOpenChange: setOpen,
      onConfirm: ({ vehicle }: Removal) => {
        removed.current = true
        setOpen(false)
        mutate(vehicle)
        onRemove?.(vehicle)
      },
      /** The button that asked left with its card: then the focus needs another place. */
      isRemoved: () => removed.current,
    },
  }
}
