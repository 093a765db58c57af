import { matchQuery, useMutation } from '@tanstack/react-query'
import { type AdminVehicle, approveVehicle, deleteAdminVehicle, rejectVehicle } from '#contract/admin.ts'
import { plateKey } from '#contract/plates.ts'
import { call } from '~/lib/http/api'
import { usePendingInputs } from '~/lib/query/mutations'
import { mapPageItems, type Pages } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'
import { withFreshFactor } from './frame/StepUp.tsx'
import { DISPUTE_KEY, VEHICLES_KEY } from './queries.ts'

/** Identifies a vehicle and its plate. */
export type VehicleRef = Pick<AdminVehicle, 'id' | 'plate' | 'province'>

/** A decision of an admin about a vehicle (requirements §4). */
export type Decision = { vehicle: VehicleRef } & (
  | { action: 'approve' }
  | { action: 'reject'; reason: string }
  | { action: 'delete' }
)

/** Returns the vehicles as they will be once the server has applied a decision. */
export function applyDecisionToVehicles(vehicles: AdminVehicle[], { action, vehicle }: Decision): AdminVehicle[] {
  if (action === 'delete') return vehicles.filter(({ id }) => id !== vehicle.id)
  const status = action === 'approve' ? ('verified' as const) : ('rejected' as const)
  const decided = vehicles.map((other) => (other.id === vehicle.id ? { ...other, status, dispute: null } : other))
  if (action === 'reject') return decided
  // the other sides lose their registration, a verified owner too (decision plate-disputes); a rejected vehicle stays
  const losesRegistration = (other: AdminVehicle) =>
    other.id !== vehicle.id &&
    other.province === vehicle.province &&
    plateKey(other.plate) === plateKey(vehicle.plate) &&
    (other.status === 'pending_verification' || other.dispute !== null)
  return decided.filter((other) => !losesRegistration(other))
}

const mutationKey = [ADMIN_QUERY_KEY, 'decide']

const successTexts: Record<Decision['action'], () => string> = {
  approve: m.admin_approved,
  reject: m.admin_rejected,
  delete: m.vehicles_deleted,
}

/**
 * Returns the mutation that approves, rejects or deletes a vehicle. Lists show the result at once through
 * `usePendingDecisions`, and the former state again when the server refuses. Why a rejection failed is shown by its dialog,
 * which still has the reason.
 */
export function useDecide() {
  return useMutation({
    mutationKey,
    mutationFn: sendDecision,
    onSuccess: (_, decision) => {
      queryClient.setQueriesData<Pages<AdminVehicle>>({ queryKey: VEHICLES_KEY }, (data) =>
        mapPageItems(data, (vehicles) => applyDecisionToVehicles(vehicles, decision)),
      )
      toast.success(successTexts[decision.action]())
    },
    onError: (error, { action }) => {
      if (action !== 'reject') toast.error(error)
    },
    // also after a failure: another admin may have been faster. Everything, since it may be the admin's own vehicle
    onSettled: (_, error) => {
      // a dispute that was decided is gone, and on the page until the next item is
      const isGone = error === null
      if (isGone) void queryClient.invalidateQueries({ queryKey: DISPUTE_KEY, refetchType: 'none' })
      void queryClient.invalidateQueries({
        predicate: (query) => !isGone || !matchQuery({ queryKey: DISPUTE_KEY }, query),
      })
    },
  })
}

/** Returns the decisions in flight. */
export const usePendingDecisions = () => usePendingInputs<Decision>(mutationKey)

async function sendDecision(decision: Decision): Promise<void> {
  const { id } = decision.vehicle
  if (decision.action === 'approve') await withFreshFactor(() => call(approveVehicle, { id }, { withTimeout: true }))
  else if (decision.action === 'reject')
    await withFreshFactor(() => call(rejectVehicle, { id, reason: decision.reason }, { withTimeout: true }))
  else await withFreshFactor(() => call(deleteAdminVehicle, { id }, { withTimeout: true }))
}
