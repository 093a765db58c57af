import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { AdminDispute, AdminVehicle } from '#contract/admin.ts'
import { approveVehicle, deleteAdminVehicle, rejectVehicle } from '#contract/admin.ts'
import { call } from '~/lib/http/api'
import { toast } from '~/lib/page/toast'
import { m } from '~/paraglide/messages'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'
import { applyDecisionToDisputes, applyDecisionToVehicles, type Decision } from './optimistic-decisions.ts'
import { disputesQuery, mapPageItems, type Pages, VEHICLES_KEY } from './queries.ts'

const mutationKey = [ADMIN_QUERY_KEY, 'decide']

const successTexts: Record<Decision['action'], () => string> = {
  approve: m.admin_approved,
  reject: m.admin_rejected,
  delete: m.vehicles_deleted,
}

/**
 * Approves, rejects or deletes a vehicle. Lists show what follows at once by `usePendingDecisions`, and what there was
 * again when the server refuses. A refused rejection is said by its dialog, which holds the reason.
 */
export function useDecide() {
  const queries = useQueryClient()
  return useMutation({
    mutationKey,
    networkMode: 'always', // without a connection it fails at once and says so, instead of happening hours later
    mutationFn: sendDecision,
    onSuccess: (_, decision) => {
      queries.setQueriesData<Pages<AdminVehicle>>({ queryKey: VEHICLES_KEY }, (data) =>
        mapPageItems(data, (vehicles) => applyDecisionToVehicles(vehicles, decision)),
      )
      queries.setQueryData(disputesQuery.queryKey, (data: Pages<AdminDispute> | undefined) =>
        mapPageItems(data, (disputes) => applyDecisionToDisputes(disputes, decision)),
      )
      toast.success(successTexts[decision.action]())
    },
    onError: (error, { action }) => {
      if (action !== 'reject') toast.error(error)
    },
    // also when it failed: another admin may have been faster. The own vehicles may be among those decided about
    onSettled: () => void queries.invalidateQueries(),
  })
}

/** Decisions on their way to the server. One that fails drops out of here, and what it changed is undone on the screen. */
export const usePendingDecisions = (): Decision[] =>
  useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Decision,
  })

async function sendDecision(decision: Decision): Promise<void> {
  const { id } = decision.vehicle
  if (decision.action === 'approve') await call(approveVehicle, { id }, { withTimeout: true })
  else if (decision.action === 'reject')
    await call(rejectVehicle, { id, reason: decision.reason }, { withTimeout: true })
  else await call(deleteAdminVehicle, { id }, { withTimeout: true })
}
