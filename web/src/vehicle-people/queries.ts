import { useMutation } from '@tanstack/react-query'
import { inviteDriver, listVehiclePeople, removeVehiclePerson, revokeInvitation } from '#contract/vehicle-people.ts'
import { call } from '~/lib/http/api'
import { verbatim } from '~/lib/i18n/verbatim'
import { endpointQuery } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'

/** Fetches the owner and the drivers of a vehicle. */
export const peopleQuery = (vehicleId: string) => ({
  ...endpointQuery(['vehicles', 'people', vehicleId], listVehiclePeople, { id: vehicleId }),
  refetchOnWindowFocus: 'always' as const, // there is no notification when somebody leaves
})

const isSame = (one: readonly unknown[], other: readonly unknown[]) => one.join() === other.join()

/** Returns the changes to the people of a vehicle. After each, also a failed one, the people are refetched. */
export function usePeopleActions(vehicleId: string, plate: string) {
  const peopleKey = peopleQuery(vehicleId).queryKey
  const refetchPeople = () => queryClient.invalidateQueries({ queryKey: peopleKey })
  // the card says whether others drive it, and a driver who leaves has no card any more
  const refetchVehicles = () => queryClient.invalidateQueries({ queryKey: ['vehicles'] })
  return {
    leave: useMutation({
      mutationFn: (personId: string) => call(removeVehiclePerson, { id: vehicleId, personId }),
      onSuccess: () => toast.success(verbatim(m.people_left({ plate }), plate)),
      // its messages and notifications are gone too; its people are no longer there to be fetched
      onSettled: () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => !isSame(queryKey, peopleKey) }),
    }),
    remove: useMutation({
      mutationFn: (personId: string) => call(removeVehiclePerson, { id: vehicleId, personId }),
      onSettled: () => void refetchVehicles(),
    }),
    invite: useMutation({
      onError: () => {}, // shown beside the form
      mutationFn: (email?: string) => call(inviteDriver, { id: vehicleId, ...(email !== undefined && { email }) }),
      onSettled: refetchPeople,
    }),
    revoke: useMutation({
      mutationFn: (id: string) => call(revokeInvitation, { id }),
      onSettled: refetchPeople,
    }),
  }
}

export type PeopleActions = ReturnType<typeof usePeopleActions>
