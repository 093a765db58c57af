import type { Vehicle } from '#contract/vehicles.ts'
import { DecryptionError, type Keyring } from '../encryption/envelope-encryption.ts'
import type { VehicleRow } from './queries.ts'
import { decryptRejectReason } from './reject-reason.ts'

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
