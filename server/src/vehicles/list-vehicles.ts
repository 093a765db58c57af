import * as z from 'zod/mini'
import type { PageParams } from '#contract/endpoint.ts'
import { pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { findDisputedVehicles, listVehiclesOf } from './queries.ts'
import { toVehicle } from './to-vehicle.ts'

/** Returns a page of the vehicles a person owns or drives, newest first; own ones with its side in an open dispute. */
export async function listVehicles(db: Db, keyring: Keyring, ownerId: string, paging: PageParams) {
  const limit = pageLimit(paging)
  const rows = await listVehiclesOf(db, ownerId, parseCursor(z.uuid(), paging), limit + 1)
  return toPage(rows, limit, (row) => row.id, toVehicle(keyring))
}

/** Lists a person's vehicles that are in a dispute, newest first; each with its side. */
export const listDisputedVehicles = async (db: Db, keyring: Keyring, ownerId: string) =>
  (await findDisputedVehicles(db, ownerId)).map(toVehicle(keyring))
