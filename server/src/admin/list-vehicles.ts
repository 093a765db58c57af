import type { TransactionSql } from 'postgres'
import * as z from 'zod/mini'
import type { AdminVehicle, VehicleFilters } from '#contract/admin.ts'
import type { Paging } from '#contract/endpoint.ts'
import { displayPlate, isPlate, plateKey } from '#contract/plates.ts'
import { LAST_ID, pageLimit, readCursor, toPage } from '../db/keyset.ts'
import type { Db, Pool } from '../db/pool.ts'
import { refuse } from '../refusal.ts'
import { isUnfindable, readList, SAMPLE_ROWS, walkLength } from './search.ts'
import {
  type AdminVehicleRow,
  lookUpOwners,
  lookUpPlate,
  sampleVehicles,
  type VehicleQuery,
  vehiclesById,
  walkVehicles,
} from './vehicle-queries.ts'

/** All vehicles that every filter lets through, newest first (spec §2). */
export async function listVehicles(db: Pool, input: VehicleFilters & Paging) {
  const limit = pageLimit(input)
  const before = readCursor(z.uuid(), input) ?? LAST_ID
  const plate = plateKey(displayPlate(input.plate ?? '')) || undefined
  const email = input.email || undefined
  // what no plate can hold is in none of them
  if ((plate && !isPlate(plate)) || (email && isUnfindable(email))) return { items: [], next: null }

  const query: VehicleQuery = { before, plate, email, province: input.province, status: input.status }
  return readList(db, async (tx) => {
    const ids = await newestIds(tx, query, limit + 1)
    return toPage(await vehiclesById(tx, ids), limit, (row) => row.id, showVehicle)
  })
}

/** What is common is found among the newest vehicles, what is rare by an index over the pieces of plates or addresses. */
async function newestIds(tx: TransactionSql, query: VehicleQuery, count: number): Promise<string[]> {
  const { plate, email } = query
  if (!plate && !email) return walkVehicles(tx, query, count, count)

  const { vehicles, plate_hits, users, email_hits } = await sampleVehicles(tx, query)
  if (vehicles < SAMPLE_ROWS) return walkVehicles(tx, query, SAMPLE_ROWS, count)
  const plateShare = plate ? plate_hits / vehicles : 1
  const emailShare = email ? email_hits / users : 1
  const rows = walkLength(count, plateShare * emailShare, email ? plateShare : 0)
  if (rows !== null) {
    const ids = await walkVehicles(tx, query, rows, count)
    if (ids.length === count) return ids
  }
  return plate && (!email || plateShare <= emailShare)
    ? lookUpPlate(tx, query, plate, count)
    : lookUpOwners(tx, query, email ?? '', count)
}

/** One vehicle as admins see it. Refuses with `not_found`. */
export async function adminVehicle(db: Db, id: string): Promise<AdminVehicle> {
  const [row] = await vehiclesById(db, [id])
  return row ? showVehicle(row) : refuse('not_found')
}

const showVehicle = ({ documents_due_at, documents_received_at, role, ...vehicle }: AdminVehicleRow): AdminVehicle => ({
  ...vehicle,
  dispute: documents_due_at === null || role === null ? null : { documents_due_at, documents_received_at, role },
})
