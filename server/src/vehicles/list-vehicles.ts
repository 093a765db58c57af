import type { PageParams } from '#contract/endpoint.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { readPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { DecryptionError, type Keyring } from '../encryption/envelope-encryption.ts'
import { findDisputedVehicles, listVehiclesOf, type VehicleRow } from './queries.ts'
import { decryptRejectReason } from './reject-vehicle.ts'

/** Converts a row to what its owner or driver sees. */
export const toVehicle =
  (keyring: Keyring) =>
  ({ documents_due_at, side, reject_reason_encrypted, ...vehicle }: VehicleRow): Vehicle => ({
    ...vehicle,
    dispute: documents_due_at === null || side === null ? null : { documents_due_at, role: side },
    reject_reason: reject_reason_encrypted && readRejectReason(keyring, vehicle.id, reject_reason_encrypted),
  })

/** Returns why a vehicle was rejected; null when that was damaged: the rest stays readable. */
function readRejectReason(keyring: Keyring, vehicleId: string, encrypted: Buffer): string | null {
  try {
    return decryptRejectReason(keyring, vehicleId, encrypted)
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}

/** Returns a page of the vehicles a person owns or drives, newest first; own ones with its side in an open dispute. */
export const listVehicles = (db: Db, keyring: Keyring, ownerId: string, paging: PageParams) =>
  readPage(paging, (before, limit) => listVehiclesOf(db, ownerId, before, limit), toVehicle(keyring))

/** Lists a person's vehicles that are in a dispute, newest first; each with its side. */
export const listDisputedVehicles = async (db: Db, keyring: Keyring, ownerId: string) =>
  (await findDisputedVehicles(db, ownerId)).map(toVehicle(keyring))
