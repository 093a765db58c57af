import * as z from 'zod/mini'
import { normalizeEmail } from '#contract/addresses.ts'
import type { AdminStats, AdminVehicle, VehicleFilters } from '#contract/admin.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { displayPlate, isPlate, plateKey } from '#contract/plates.ts'
import { PROVINCES } from '#contract/provinces.ts'
import { MAX_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db, Pool } from '../db/pool.ts'
import { refuse } from '../refusal.ts'
import { hasNulCharacter, runCustomPlanned } from './search.ts'
import { type AdminVehicleRow, countLiveByProvince, findVehicle, listNewestVehicles } from './vehicle-queries.ts'

/** Lists the vehicles that match all filters, newest first (requirements §2). */
export async function listVehicles(db: Pool, input: VehicleFilters & PageParams) {
  const limit = pageLimit(input)
  const before = parseCursor(z.uuid(), input) ?? MAX_UUID
  const plate = plateKey(displayPlate(input.plate ?? '')) || null
  const email = normalizeEmail(input.email ?? '') || null
  // what no plate can hold is in none of them
  if ((plate && !isPlate(plate)) || (email && hasNulCharacter(email))) return { items: [], next: null }

  const filters = { plate, email, province: input.province ?? null, status: input.status ?? null }
  const rows = await runCustomPlanned(db, (tx) => listNewestVehicles(tx, before, filters, limit + 1))
  return toPage(rows, limit, (row) => row.id, toAdminVehicle)
}

/** Returns one vehicle as admins see it. Refuses with `not_found`. */
export async function getAdminVehicle(db: Db, id: string): Promise<AdminVehicle> {
  const row = await findVehicle(db, id)
  return row ? toAdminVehicle(row) : refuse('not_found')
}

const toAdminVehicle = ({ documents_due_at, role, ...vehicle }: AdminVehicleRow): AdminVehicle => ({
  ...vehicle,
  dispute: documents_due_at === null || role === null ? null : { documents_due_at, role },
})

/** Counts the vehicles that are active or verified, in all and in each province (requirements §6). */
export async function getStats(db: Db): Promise<AdminStats> {
  const counts = new Map((await countLiveByProvince(db)).map(({ province, count }) => [province, count]))
  const by_province = Object.fromEntries(PROVINCES.map((name) => [name, counts.get(name) ?? 0]))
  return {
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    by_province: by_province as AdminStats['by_province'],
  }
}
