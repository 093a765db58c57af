import { recordPlateAction } from '../audit/record-action.ts'
import type { Db } from '../db/pool.ts'
import { lockDispute, setDocumentsReceived } from '../disputes/queries.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { deleteUploadArrival, findOwnChallengeId, insertArrival } from './queries.ts'

type Arrival = { way: 'upload' } | { way: 'mail'; mailHash: Buffer }

/**
 * Notes that documents of a side arrived, in a transaction that holds its plate. A challenge then waits for an admin and not
 * for its due date, as if an admin had noted it (decision plate-disputes). The same arrival again changes nothing.
 */
export async function markArrived(tx: Db, keyring: Keyring, vehicleId: string, arrival: Arrival): Promise<void> {
  const mailHash = arrival.way === 'mail' ? arrival.mailHash : null
  if (!(await insertArrival(tx, vehicleId, arrival.way, mailHash))) return
  const dispute = await lockOwnChallenge(tx, vehicleId)
  if (!dispute) return // an incumbent's: it never loses by the clock
  if (dispute.documents_received_at === null) {
    await recordPlateAction(tx, keyring, dispute, { actor: null, action: 'documents_received' })
  }
  // uploads can be taken back, and then only they are
  if (dispute.documents_received_at === null || dispute.documents_received_by === 'upload') {
    await setDocumentsReceived(tx, dispute.id, arrival.way)
  }
}

/** Notes that a side took its last upload back. A challenge waits for its due date again, unless documents came otherwise. */
export async function unmarkUpload(tx: Db, keyring: Keyring, vehicleId: string): Promise<void> {
  await deleteUploadArrival(tx, vehicleId)
  const dispute = await lockOwnChallenge(tx, vehicleId)
  if (dispute?.documents_received_by !== 'upload') return
  await setDocumentsReceived(tx, dispute.id, null)
  await recordPlateAction(tx, keyring, dispute, { actor: null, action: 'documents_not_received' })
}

/** Locks the open challenge that a vehicle is the challenger of; undefined when it is of none. */
async function lockOwnChallenge(tx: Db, vehicleId: string) {
  const id = await findOwnChallengeId(tx, vehicleId)
  return id === undefined ? undefined : lockDispute(tx, id)
}
