import type { TransactionSql } from 'postgres'
import * as z from 'zod/mini'
import type { AdminDispute } from '#contract/admin.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { MIN_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db, Pool } from '../db/pool.ts'
import { refuse } from '../refusal.ts'
import {
  type DisputeRow,
  type DueDateCursor,
  findDispute,
  findDisputeSides,
  listDisputesByDueDate,
} from './dispute-queries.ts'

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
const readSnapshot = <T>(db: Pool, read: (tx: TransactionSql) => Promise<T>): Promise<T> =>
  db.begin('isolation level repeatable read read only', read) as Promise<T>

async function withSides(db: Db, rows: DisputeRow[]): Promise<AdminDispute[]> {
  const sides = await findDisputeSides(
    db,
    rows.flatMap((row) => [row.incumbent_vehicle_id, row.challenger_vehicle_id]),
  )
  const sidesByVehicle = new Map(sides.map((found) => [found.vehicle_id, found]))
  return rows.map((row) => {
    const { incumbent_vehicle_id, challenger_vehicle_id, due_us: _, ...dispute } = row
    // a dispute is deleted with either of its vehicles, so both exist
    return {
      ...dispute,
      incumbent: sidesByVehicle.get(incumbent_vehicle_id)!,
      challenger: sidesByVehicle.get(challenger_vehicle_id)!,
    }
  })
}
