import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { AdminDispute, AdminVehicle } from '#contract/admin.ts'
import { approveVehicle, deleteAdminVehicle, rejectVehicle } from '#contract/admin.ts'
import { call } from '~/lib/api'
import { toast } from '~/lib/toast'
import { m } from '~/paraglide/messages'
import { ADMIN_KEY } from './admin-key.ts'
import { type Decision, disputesAfter, vehiclesAfter } from './decisions.ts'
import { disputesQuery, type Pages, VEHICLES_KEY, withItems } from './list-queries.ts'

const mutationKey = [ADMIN_KEY, 'decide']

const done: Record<Decision['what'], () => string> = {
  approve: m.admin_approved,
  reject: m.admin_rejected,
  delete: m.vehicles_deleted,
}

/**
 * Approves, rejects or deletes a vehicle. Lists show what follows at once by `useDecisionsUnderWay`, and what there was
 * again when the server refuses. A refused rejection is said by its dialog, which holds the reason.
 */
export function useDecide() {
  const queries = useQueryClient()
  return useMutation({
    mutationKey,
    networkMode: 'always', // without a connection it fails at once and says so, instead of happening hours later
    mutationFn: carryOut,
    onSuccess: (_, decision) => {
      queries.setQueriesData<Pages<AdminVehicle>>({ queryKey: VEHICLES_KEY }, (data) =>
        withItems(data, (vehicles) => vehiclesAfter(vehicles, decision)),
      )
      queries.setQueryData(disputesQuery.queryKey, (data: Pages<AdminDispute> | undefined) =>
        withItems(data, (disputes) => disputesAfter(disputes, decision)),
      )
      toast.success(done[decision.what]())
    },
    onError: (error, { what }) => {
      if (what !== 'reject') toast.error(error)
    },
    // also when it failed: another admin may have been faster. The own vehicles may be among those decided about
    onSettled: () => void queries.invalidateQueries(),
  })
}

/** Decisions on their way to the server. One that fails drops out of here, and what it changed is undone on the screen. */
export const useDecisionsUnderWay = (): Decision[] =>
  useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Decision,
  })

async function carryOut(decision: Decision): Promise<void> {
  const { id } = decision.vehicle
  if (decision.what === 'approve') await call(approveVehicle, { id }, { givesUp: true })
  else if (decision.what === 'reject') await call(rejectVehicle, { id, reason: decision.reason }, { givesUp: true })
  else await call(deleteAdminVehicle, { id }, { givesUp: true })
}
