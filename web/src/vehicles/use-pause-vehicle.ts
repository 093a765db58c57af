import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updateVehicle, type Vehicle } from '#contract/vehicles.ts'
import { call } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { ownVehiclesQuery } from './queries.ts'

/** Pauses a vehicle of the user, or ends its pause. Its card then gets the focus, as the button in use is gone. */
export function usePauseVehicle({ id, plate }: Pick<Vehicle, 'id' | 'plate'>) {
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always', // without a connection it fails at once and says so, instead of pausing hours later
    mutationFn: (paused: boolean) => call(updateVehicle, { id, paused }),
    onSuccess: (changed) => {
      queries.setQueryData(ownVehiclesQuery.queryKey, (vehicles) =>
        vehicles?.map((vehicle) => (vehicle.id === id ? changed : vehicle)),
      )
      toast.success(changed.paused ? m.vehicles_paused_done({ plate }) : m.vehicles_resumed_done({ plate }))
      document.getElementById(id)?.focus({ preventScroll: true })
    },
    onError: toast.error,
    // also after a failure: it may have been paused, or removed, on another device
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['vehicles'] })
      void queries.invalidateQueries({ queryKey: ['dashboard'] })
    },
  })
}
