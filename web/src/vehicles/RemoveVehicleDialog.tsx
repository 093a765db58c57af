import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteVehicle, type Vehicle } from '#contract/vehicles.ts'
import { call, errorMessage } from '~/lib/http/api'
import { verbatim } from '~/lib/i18n/verbatim'
import { usePendingInputs } from '~/lib/query/mutations'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { ownVehiclesQuery } from './queries.ts'

/** Why an owner removes a vehicle: to delete it, or to leave a dispute over its plate. */
export type RemovalReason = 'deleted' | 'sold' | 'withdrawn'

const TEXTS = { deleted: m.vehicles_delete_text, sold: m.vehicles_sold_text, withdrawn: m.vehicles_withdraw_text }

/** A vehicle to remove, while that is asked and while the question fades out. */
type Removal = { vehicle: Vehicle; reason: RemovalReason; open: boolean }

type Props = {
  removal: Removal | undefined
  onOpenChange: (open: boolean) => void
  /** Called on confirmation; the removal follows, so that what is said of it is said on the page that this leads to. */
  onRemove?: (vehicle: Vehicle) => Promise<void> | void
  /** Returns where the focus goes once the vehicle has left the page. */
  focusAfter?: () => HTMLElement | null
}

/** Holds what `RemoveVehicleDialog` gets as its props; `ask` opens it. */
export function useRemoval() {
  const [removal, setRemoval] = useState<Removal>()
  return {
    ask: (vehicle: Vehicle, reason: RemovalReason) => setRemoval({ vehicle, reason, open: true }),
    dialog: { removal, onOpenChange: (open: boolean) => setRemoval((now) => now && { ...now, open }) },
  }
}

/** Asks to confirm the removal of a vehicle, in words that fit the reason, and removes it. */
export function RemoveVehicleDialog({ removal, onOpenChange, onRemove, focusAfter }: Props) {
  const { mutate } = useDeleteVehicle()
  if (!removal) return null
  const { vehicle, reason, open } = removal
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={verbatim(m.vehicles_delete_title({ plate: vehicle.plate }), vehicle.plate)}
      description={TEXTS[reason]()}
      confirmText={m.vehicles_delete_confirm()}
      onConfirm={() => {
        void Promise.resolve(onRemove?.(vehicle)).then(() => mutate(vehicle))
      }}
      focusAfter={focusAfter}
    />
  )
}

const mutationKey = ['vehicles', 'delete']

function useDeleteVehicle() {
  return useMutation({
    mutationKey,
    mutationFn: (vehicle: Vehicle) => call(deleteVehicle, { id: vehicle.id }),
    onSuccess: (_, { id }) => {
      queryClient.setQueryData(ownVehiclesQuery.queryKey, (vehicles) =>
        vehicles?.filter((vehicle) => vehicle.id !== id),
      )
      toast.success(m.vehicles_deleted())
      // its messages, notifications and counts are gone too; lists leave it out until those are fetched again
      return queryClient.invalidateQueries()
    },
    onError: (error) => {
      toast.error(m.vehicles_delete_failed({ reason: errorMessage(error) }))
      void queryClient.invalidateQueries()
    },
  })
}

/** Returns the ids of the vehicles being deleted, which lists leave out: after a failure a vehicle reappears. */
export const useDeletingVehicleIds = (): string[] => usePendingInputs<Vehicle>(mutationKey).map(({ id }) => id)
