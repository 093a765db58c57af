import * as z from 'zod/mini'
import type { Paging } from '#contract/endpoint.ts'
import { pageLimit, readCursor, toPage } from '../db/keyset.ts'
import type { Db } from '../db/pool.ts'
import { disputedVehicles, ownVehicles } from './queries.ts'
import { showVehicle } from './rules.ts'

/** A page of a person's vehicles, newest first; each with the side it has in an open dispute. */
export async function listVehicles(db: Db, ownerId: string, paging: Paging) {
  const limit = pageLimit(paging)
  const rows = await ownVehicles(db, ownerId, readCursor(z.uuid(), paging), limit + 1)
  return toPage(rows, limit, (row) => row.id, showVehicle)
}

/** A person's vehicles whose plate somebody else registered too, newest first; each with its side in the dispute. */
export const listDisputed = async (db: Db, ownerId: string) => (await disputedVehicles(db, ownerId)).map(showVehicle)
