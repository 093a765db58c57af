import { inTransaction } from '../db/transaction.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { endDisputesOf } from './end-disputes.ts'
import { deleteOwnVehicle, isOwnVehicle } from './queries.ts'

/** Removes an own vehicle with the messages it received; a dispute it is a side of ends (design decision 4). */
export const deleteVehicle = ({ db }: Pick<Parts, 'db'>, ownerId: string, vehicleId: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    // before anything is locked or settled for somebody else's vehicle
    if (!(await isOwnVehicle(tx, vehicleId, ownerId))) refuse('not_found')
    await endDisputesOf(tx, [vehicleId])
    // two may delete it at once: whoever comes second finds nothing
    if (!(await deleteOwnVehicle(tx, vehicleId, ownerId))) refuse('not_found')
  })
