import type { TransactionSql } from 'postgres'
import * as z from 'zod/mini'
import type { AdminVehicle, VehicleFilters } from '#contract/admin.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { displayPlate, isPlate, plateKey } from '#contract/plates.ts'
import { MAX_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db, Pool } from '../db/pool.ts'
import { refuse } from '../refusal.ts'
import { estimateScanRows, hasNulCharacter, readListSnapshot, SAMPLE_ROWS } from './list-strategy.ts'
import {
  type AdminVehicleRow,
  findVehiclesByIds,
  sampleVehicles,
  scanVehicles,
  searchByOwnerIndex,
  searchByPlateIndex,
  type VehicleQuery,
} from './vehicle-queries.ts'

/** All vehicles that every filter lets through, newest first (requirements §2). */
export async function listVehicles(db: Pool, input: VehicleFilters & PageParams) {
  const limit = pageLimit(input)
  const before = parseCursor(z.uuid(), input) ?? MAX_UUID
  const plate = plateKey(displayPlate(input.plate ?? '')) || undefined
  const email = input.email || undefined
  // what no plate can hold is in none of them
  if ((plate && !isPlate(plate)) || (email && hasNulCharacter(email))) return { items: [], next: null }

  const query: VehicleQuery = { before, plate, email, province: input.province, status: input.status }
  return readListSnapshot(db, async (tx) => {
    const ids = await findMatchingIds(tx, query, limit + 1)
    return toPage(await findVehiclesByIds(tx, ids), limit, (row) => row.id, toAdminVehicle)
  })
}

/** What is common is found among the newest vehicles, what is rare by an index over the pieces of plates or addresses. */
async function findMatchingIds(tx: TransactionSql, query: VehicleQuery, count: number): Promise<string[]> {
  const { plate, email } = query
  if (!plate && !email) return scanVehicles(tx, query, count, count)

  const { vehicles, plate_hits, users, email_hits } = await sampleVehicles(tx, query)
  if (vehicles < SAMPLE_ROWS) return scanVehicles(tx, query, SAMPLE_ROWS, count)
  const plateShare = plate ? plate_hits / vehicles : 1
  const emailShare = email ? email_hits / users : 1
  const rows = estimateScanRows(count, plateShare * emailShare, email ? plateShare : 0)
  if (rows !== null) {
    const ids = await scanVehicles(tx, query, rows, count)
    if (ids.length === count) return ids
  }
  return plate && (!email || plateShare <= emailShare)
    ? searchByPlateIndex(tx, query, plate, count)
    : searchByOwnerIndex(tx, query, email ?? '', count)
}

/** One vehicle as admins see it. Refuses with `not_found`. */
export async function getAdminVehicle(db: Db, id: string): Promise<AdminVehicle> {
  const [row] = await findVehiclesByIds(db, [id])
  return row ? toAdminVehicle(row) : refuse('not_found')
}

const toAdminVehicle = ({
  documents_due_at,
  documents_received_at,
  role,
  ...vehicle
}: AdminVehicleRow): AdminVehicle => ({
  ...vehicle,
  dispute: documents_due_at === null || role === null ? null : { documents_due_at, documents_received_at, role },
})
