import type { AdminDispute, DisputeSide } from '#contract/admin.ts'
import type { Db } from '../db/pool.ts'

/** The dispute a page starts after. `dueUs` is in microseconds of Unix time: dates are shown less exactly. */
export type DueDateCursor = { dueUs: string; id: string }

export type DisputeRow = Omit<AdminDispute, 'incumbent' | 'challenger'> & {
  due_us: string
  incumbent_vehicle_id: string
  challenger_vehicle_id: string
}

const disputeColumns = (db: Db) => db`
  id, plate, province, created_at as opened_at, documents_due_at, documents_received_at,
  incumbent_vehicle_id, challenger_vehicle_id, (extract(epoch from documents_due_at) * 1000000)::bigint::text as due_us`

/** Lists the open disputes, the earliest due date first, after a cursor. */
export const listDisputesByDueDate = (db: Db, { dueUs, id }: DueDateCursor, limit: number) =>
  db<DisputeRow[]>`
    select ${disputeColumns(db)} from plate_disputes
    where (documents_due_at, id) > ('epoch'::timestamptz + ${dueUs}::bigint * interval '1 microsecond', ${id}::uuid)
    order by documents_due_at, id
    limit ${limit}`

export const findDispute = async (db: Db, id: string): Promise<DisputeRow | undefined> => {
  const [row] = await db<DisputeRow[]>`select ${disputeColumns(db)} from plate_disputes where id = ${id}`
  return row
}

/** Finds vehicles as sides of a dispute, in no particular order. */
export const findDisputeSides = (db: Db, vehicleIds: string[]) =>
  db<Omit<DisputeSide, 'documents' | 'documents_arrived_at'>[]>`
    select v.id as vehicle_id, v.plate, v.make, v.model, v.registration_year, v.status, v.created_at as registered_at,
      u.id as user_id, u.email as owner_email, u.user_metadata ->> 'full_name' as owner_name
    from vehicles v
    join auth.users u on u.id = v.user_id
    where v.id = any(${vehicleIds}::uuid[])`
