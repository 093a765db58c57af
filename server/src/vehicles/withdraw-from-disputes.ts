import type { Db } from '../db/pool.ts'
import type { SettlementMailData } from '../disputes/emails.ts'
import { deleteDisputes, findDisputesByVehicles, replaceIncumbent } from '../disputes/queries.ts'
import { resolveDispute, SETTLED_MAIL } from '../disputes/state-machine.ts'
import { queueMail } from '../email/outbox.ts'
import { getOwnerId, lockPlates, setChallengeSurvived, setVehicleStatus } from './queries.ts'

/**
 * Withdraws vehicles from their disputes and settles those (decision plate-disputes): the owner who keeps or gets a plate is informed
 * by email. Call it inside the transaction that deletes or rejects the vehicles, and before it does: a dispute's rows are
 * deleted with a vehicle. Locks the plates of the vehicles, and leaves those that were in a dispute as rejected. After the
 * commit, wake the outbox.
 */
export async function withdrawFromDisputes(tx: Db, vehicleIds: string[]): Promise<void> {
  await lockPlates(tx, vehicleIds)
  const affectedDisputes = await findDisputesByVehicles(tx, vehicleIds)
  const leaving = new Set(vehicleIds)
  const sides = affectedDisputes.flatMap((dispute) => [dispute.incumbent_vehicle_id, dispute.challenger_vehicle_id])
  // first they release the plate: it never has two live vehicles, not even within a transaction
  await setVehicleStatus(
    tx,
    [...new Set(sides)].filter((id) => leaving.has(id)),
    'rejected',
  )
  for (const disputes of Map.groupBy(affectedDisputes, (dispute) => dispute.incumbent_vehicle_id).values()) {
    const { ended, settled, survivor, successor } = resolveDispute(disputes, leaving)
    await deleteDisputes(tx, ended)
    if (survivor) await setChallengeSurvived(tx, survivor)
    if (settled) {
      await setVehicleStatus(tx, [settled.vehicleId], settled.status)
      const data: SettlementMailData = { vehicle_id: settled.vehicleId, settlement: settled.settlement }
      const recipientId = await getOwnerId(tx, settled.vehicleId)
      await queueMail(tx, { kind: SETTLED_MAIL, refId: ended.at(-1)!, recipientId, data }) // settled, so at least one ended
    }
    if (successor) await replaceIncumbent(tx, successor.disputes, successor.vehicleId, successor.status)
  }
}
