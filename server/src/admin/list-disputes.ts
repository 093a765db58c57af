import * as z from 'zod/mini'
import type { AdminDispute, DisputeSide } from '#contract/admin.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { MIN_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db, Pool, Transaction } from '../db/pool.ts'
import { listArrivals, listSentDocuments } from '../documents/queries.ts'
import { refuse } from '../refusal.ts'

/** The dispute a page starts after. `dueUs` is in microseconds of Unix time: dates are shown less exactly. */
type DueDateCursor = { dueUs: string; id: string }

type DisputeRow = Omit<AdminDispute, 'incumbent' | 'challenger'> & {
  due_us: string
  incumbent_vehicle_id: string
  challenger_vehicle_id: string
}

const disputeColumns = (db: Db) => db`
  id, plate, province, created_at as opened_at, documents_due_at, documents_received_at,
  incumbent_vehicle_id, challenger_vehicle_id, (extract(epoch from documents_due_at) * 1000000)::bigint::text as due_us`

/** Lists the open disputes, the earliest due date first, after a cursor. */
const listDisputesByDueDate = (db: Db, { dueUs, id }: DueDateCursor, limit: number) =>
  db<DisputeRow[]>`
    select ${disputeColumns(db)} from plate_disputes
    where (documents_due_at, id) > ('epoch'::timestamptz + ${dueUs}::bigint * interval '1 microsecond', ${id}::uuid)
    order by documents_due_at, id
    limit ${limit}`

const findDispute = async (db: Db, id: string): Promise<DisputeRow | undefined> => {
  const [row] = await db<DisputeRow[]>`select ${disputeColumns(db)} from plate_disputes where id = ${id}`
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

const FIRST_CURSOR: DueDateCursor = { dueUs: '0', id: MIN_UUID }

const CursorFormat = z.pipe(
  z.string().check(z.regex(/^\d{1,16} [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  z.transform((text): DueDateCursor => ({ dueUs: text.slice(0, -37), id: text.slice(-36) })),
)

/** Lists the open disputes with both sides, the earliest due date first. */
export async function listDisputes(db: Pool, paging: PageParams) {
  const limit = pageLimit(paging)
  const after = parseCursor(CursorFormat, paging) ?? FIRST_CURSOR
  return readSnapshot(db, async (tx) => {
    const rows = await listDisputesByDueDate(tx, after, limit + 1)
    const { items, next } = toPage(
      rows,
      limit,
      (row) => `${row.due_us} ${row.id}`,
      (row) => row,
    )
    return { items: await withSides(tx, items), next }
  })
}

/** Returns one open dispute with both sides. Refuses with `not_found`. */
export const getAdminDispute = (db: Pool, id: string): Promise<AdminDispute> =>
  readSnapshot(db, async (tx) => {
    const row = (await findDispute(tx, id)) ?? refuse('not_found')
    const [dispute] = await withSides(tx, [row])
    return dispute! // one row, one dispute
  })

/** Disputes and their sides are two statements, which must see the database at the same moment. */
const readSnapshot = <T>(db: Pool, read: (tx: Transaction) => Promise<T>): Promise<T> =>
  db.begin('isolation level repeatable read read only', read)

async function withSides(db: Db, rows: DisputeRow[]): Promise<AdminDispute[]> {
  const sides = await findDisputeSides(
    db,
    rows.flatMap((row) => [row.incumbent_vehicle_id, row.challenger_vehicle_id]),
  )
  const arrivedOf = await readArrived(db, sides)
  const sidesByVehicle = new Map(sides.map((found) => [found.vehicle_id, { ...found, ...arrivedOf(found.vehicle_id) }]))
  return rows.map((row) => {
    const { incumbent_vehicle_id, challenger_vehicle_id, due_us: _, ...dispute } = row
    // a dispute is deleted with either of its vehicles, so both exist
    return {
      ...dispute,
      incumbent: sidesByVehicle.get(incumbent_vehicle_id)!,
      // an admin may have noted what came in another way, or that nothing came
      challenger: { ...sidesByVehicle.get(challenger_vehicle_id)!, documents_arrived_at: row.documents_received_at },
    }
  })
}

/** Reads which documents of these sides are here, and when the first arrived. */
async function readArrived(db: Db, sides: { vehicle_id: string }[]) {
  const vehicleIds = sides.map(({ vehicle_id }) => vehicle_id)
  const documents = Map.groupBy(await listSentDocuments(db, vehicleIds), ({ vehicle_id }) => vehicle_id)
  const arrivals = Map.groupBy(await listArrivals(db, vehicleIds), ({ vehicle_id }) => vehicle_id)
  return (vehicleId: string) => ({
    documents: documents.get(vehicleId) ?? [],
    documents_arrived_at: (arrivals.get(vehicleId) ?? []).map(({ arrived_at }) => arrived_at).sort()[0] ?? null,
  })
}
