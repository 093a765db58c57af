import type { ArrivedDocuments } from '#contract/documents.ts'
import type { Db } from '../db/pool.ts'
import { refuse } from '../refusal.ts'
import { isOwnVehicle } from '../vehicles/queries.ts'
import { hasReceivedChallenge, listArrivals, listSentDocuments } from './queries.ts'

/** Returns what has arrived of a person's documents, without its content. Refuses with `not_found`. */
export async function listDocuments(db: Db, ownerId: string, vehicleId: string): Promise<ArrivedDocuments> {
  if (!(await isOwnVehicle(db, vehicleId, ownerId))) refuse('not_found')
  const items = await listSentDocuments(db, [vehicleId])
  const arrivals = await listArrivals(db, [vehicleId])
  return {
    items,
    mailed_at: arrivals.find(({ way }) => way === 'mail')?.arrived_at ?? null,
    waits_for_admin: await hasReceivedChallenge(db, vehicleId),
  }
}
