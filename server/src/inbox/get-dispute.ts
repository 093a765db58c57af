import type { AdminDispute, DisputeSide } from '#contract/inbox.ts'
import { type AuditActor, recordDisputeLookUp } from '../audit/record-action.ts'
import type { Db, Pool } from '../db/pool.ts'
import { listArrivals, listSentDocuments } from '../documents/queries.ts'
import { refuse } from '../refusal.ts'
import { peopleOfPlate, refuseOwnCase } from '../subjects/own-case.ts'

type DisputeRow = Omit<AdminDispute, 'incumbent' | 'challenger'> & {
  plate_key: string
  incumbent_vehicle_id: string
  challenger_vehicle_id: string
}

const findDispute = async (db: Db, id: string): Promise<DisputeRow | undefined> => {
  const [row] = await db<DisputeRow[]>`
    select d.id, d.plate, d.plate_key, d.province, d.created_at as opened_at, d.documents_due_at, d.documents_received_at,
      d.incumbent_vehicle_id, d.challenger_vehicle_id, array(
        select u.email
        from plate_disputes other
        join vehicles v on v.id = other.challenger_vehicle_id
        join auth.users u on u.id = v.user_id
        where other.province = d.province and other.plate_key = d.plate_key and other.id <> d.id
        order by other.id) as other_challengers
    from plate_disputes d where d.id = ${id}`
  return row
}

/** Finds vehicles as sides of a dispute, in no particular order. */
const findDisputeSides = (db: Db, vehicleIds: string[]) =>
  db<Omit<DisputeSide, 'documents' | 'documents_arrived_at'>[]>`
    select v.id as vehicle_id, v.plate, v.make, v.model, v.registration_year, v.status, v.created_at as registered_at,
      u.id as user_id, u.email as owner_email, u.user_metadata ->> 'full_name' as owner_name
    from vehicles v
    join auth.users u on u.id = v.user_id
    where v.id = any(${vehicleIds}::uuid[])`

/**
 * Returns one open dispute with both sides, to an admin who is neither; that they were shown their owners is in the audit log. Refuses
 * with `not_found` and `own_case`.
 */
export async function getDispute(db: Pool, admin: NonNullable<AuditActor>, id: string): Promise<AdminDispute> {
  const dispute = await readDispute(db, admin, id)
  await recordDisputeLookUp(db, admin, dispute)
  return dispute
}

const readDispute = (db: Pool, admin: NonNullable<AuditActor>, id: string): Promise<AdminDispute> =>
  // the dispute, its sides and their documents are several statements, which must see the database at the same moment
  db.begin('isolation level repeatable read read only', async (tx) => {
    const row = (await findDispute(tx, id)) ?? refuse('not_found')
    const { plate_key, incumbent_vehicle_id, challenger_vehicle_id, ...dispute } = row
    await refuseOwnCase(tx, admin, peopleOfPlate(tx, { ...dispute, plate_key }))
    const vehicleIds = [incumbent_vehicle_id, challenger_vehicle_id]
    const sides = await findDisputeSides(tx, vehicleIds)
    const documents = await listSentDocuments(tx, vehicleIds)
    const arrivals = await listArrivals(tx, vehicleIds)
    const sideOf = (vehicleId: string): DisputeSide => ({
      // a dispute is deleted with either of its vehicles, so both exist
      ...sides.find(({ vehicle_id }) => vehicle_id === vehicleId)!,
      documents: documents.filter(({ vehicle_id }) => vehicle_id === vehicleId),
      documents_arrived_at:
        arrivals
          .filter(({ vehicle_id }) => vehicle_id === vehicleId)
          .map(({ arrived_at }) => arrived_at)
          .toSorted()[0] ?? null,
    })
    return {
      ...dispute,
      incumbent: sideOf(incumbent_vehicle_id),
      // an admin may have noted what came in another way, or that nothing came
      challenger: { ...sideOf(challenger_vehicle_id), documents_arrived_at: dispute.documents_received_at },
    }
  })
