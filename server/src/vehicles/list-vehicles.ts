import * as z from 'zod/mini'
import type { PageParams } from '#contract/endpoint.ts'
import { pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { findDisputedVehicles, listOwnVehicles } from './queries.ts'
import { toVehicle } from './rules.ts'

/** A page of a person's vehicles, newest first; each with the side it has in an open dispute. */
export async function listVehicles(db: Db, ownerId: string, paging: PageParams) {
  const limit = pageLimit(paging)
  const rows = await listOwnVehicles(db, ownerId, parseCursor(z.uuid(), paging), limit + 1)
  return toPage(rows, limit, (row) => row.id, toVehicle)
}

/** A person's vehicles whose plate somebody else registered too, newest first; each with its side in the dispute. */
export const listDisputedVehicles = async (db: Db, ownerId: string) =>
  (await findDisputedVehicles(db, ownerId)).map(toVehicle)
