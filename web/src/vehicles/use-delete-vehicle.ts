import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { deleteVehicle, type Vehicle } from '#contract/vehicles.ts'
import { call, errorMessage } from '~/lib/http/api'
import { toast } from '~/lib/page/toast'
import { m } from '~/paraglide/messages'
import { ownVehiclesQuery } from './queries.ts'

const mutationKey = ['vehicles', 'delete']

/** Deletes an own vehicle, with the messages it received. Lists leave it out meanwhile by `useDeletingVehicleIds`. */
export function useDeleteVehicle() {
  const queries = useQueryClient()
  return useMutation({
    mutationKey,
    networkMode: 'always', // without a connection it fails at once and says so, instead of happening hours later
    mutationFn: (vehicle: Vehicle) => call(deleteVehicle, { id: vehicle.id }),
    onSuccess: (_, { id }) => {
      queries.setQueryData(ownVehiclesQuery.queryKey, (vehicles) => vehicles?.filter((vehicle) => vehicle.id !== id))
      toast.success(m.vehicles_deleted())
      // its messages, notifications and numbers went with it; until they are read anew, lists leave it out
      return queries.invalidateQueries()
    },
    onError: (error) => {
      toast.error(m.vehicles_delete_failed({ reason: errorMessage(error) }))
      void queries.invalidateQueries()
    },
  })
}

/** Ids of the vehicles whose deletion is on its way. One that fails drops out of here, and so comes back on the screen. */
export const useDeletingVehicleIds = (): string[] =>
  useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => (state.variables as Vehicle).id,
  })
