import * as z from 'zod/mini'
import type { AdminDispute } from '#contract/admin.ts'
import type { Paging } from '#contract/endpoint.ts'
import { pageLimit, readCursor, toPage } from '../db/keyset.ts'
import type { Db, Pool } from '../db/pool.ts'
import { refuse } from '../refusal.ts'
import { type DisputeRow, type DuePosition, disputeById, disputeSides, disputesByDueDate } from './dispute-queries.ts'
import { readList } from './search.ts'

const FIRST: DuePosition = { dueUs: '0', id: '00000000-0000-0000-0000-000000000000' }

const Position = z.pipe(
  z.string().check(z.regex(/^\d{1,16} [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  z.transform((text): DuePosition => ({ dueUs: text.slice(0, -37), id: text.slice(-36) })),
)

/** The open disputes with both sides, the earliest due date first. */
export async function listDisputes(db: Pool, paging: Paging) {
  const limit = pageLimit(paging)
  const behind = readCursor(Position, paging) ?? FIRST
  return readList(db, async (tx) => {
    const rows = await disputesByDueDate(tx, behind, limit + 1)
    const { items, next } = toPage(
      rows,
      limit,
      (row) => `${row.due_us} ${row.id}`,
      (row) => row,
    )
    return { items: await withSides(tx, items), next }
  })
}

/** One open dispute with both sides. Refuses with `not_found`. */
export const adminDispute = (db: Pool, id: string): Promise<AdminDispute> =>
  readList(db, async (tx) => {
    const row = (await disputeById(tx, id)) ?? refuse('not_found')
    const [dispute] = await withSides(tx, [row])
    return dispute! // one goes in, one comes out
  })

async function withSides(db: Db, rows: DisputeRow[]): Promise<AdminDispute[]> {
  const sides = await disputeSides(
    db,
    rows.flatMap((row) => [row.incumbent_vehicle_id, row.challenger_vehicle_id]),
  )
  const side = new Map(sides.map((found) => [found.vehicle_id, found]))
  return rows.map((row) => {
    const { incumbent_vehicle_id, challenger_vehicle_id, due_us: _, ...dispute } = row
    // a dispute goes with either of its vehicles, so both are there
    return { ...dispute, incumbent: side.get(incumbent_vehicle_id)!, challenger: side.get(challenger_vehicle_id)! }
  })
}
