import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { deleteVehicle, type Vehicle } from '#contract/vehicles.ts'
import { call, errorMessage } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { ownVehiclesQuery } from './queries.ts'

const mutationKey = ['vehicles', 'delete']

/**
 * Deletes a vehicle of the user and the messages it received. Lists leave it out meanwhile by `useDeletingVehicleIds`.
 */
export function useDeleteVehicle() {
  const queries = useQueryClient()
  return useMutation({
    mutationKey,
    networkMode: 'always', // without a connection it fails at once and says so, instead of running hours later
    mutationFn: (vehicle: Vehicle) => call(deleteVehicle, { id: vehicle.id }),
    onSuccess: (_, { id }) => {
      queries.setQueryData(ownVehiclesQuery.queryKey, (vehicles) => vehicles?.filter((vehicle) => vehicle.id !== id))
      toast.success(m.vehicles_deleted())
      // its messages, notifications and counts are gone too; lists leave it out until those are fetched again
      return queries.invalidateQueries()
    },
    onError: (error) => {
      toast.error(m.vehicles_delete_failed({ reason: errorMessage(error) }))
      void queries.invalidateQueries()
    },
  })
}

/**
 * Returns the ids of the vehicles being deleted. After a failure an id is no longer among them, and the vehicle
 * reappears.
 */
export const useDeletingVehicleIds = (): string[] =>
  useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => (state.variables as Vehicle).id,
  })
