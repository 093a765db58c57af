import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { findAddressedVehicles } from '../disputes/reply-address.ts'
import { keyedHash } from '../encryption/envelope-encryption.ts'
import { lockVehicle } from '../vehicles/queries.ts'
import { isAutomatic, messageIdOf, parseHeaders, recipientsOf } from './mail-headers.ts'
import { markArrived } from './mark-arrived.ts'
import { findSideState } from './queries.ts'

/**
 * Takes note of a mail to the address of a dispute's side: its documents have arrived (decision plate-disputes). Of the mail itself
 * nothing is kept but a keyed hash of its Message-ID. One that software wrote by itself, one that names no side, or one whose
 * dispute has ended changes nothing.
 *
 * @param header the header of the mail
 */
export async function receiveMail(
  { db, config, keyring }: Pick<AppContext, 'db' | 'config' | 'keyring'>,
  header: string,
): Promise<void> {
  const headers = parseHeaders(header)
  if (isAutomatic(headers)) return
  const mailHash = keyedHash(keyring, 'mail about documents', messageIdOf(headers) ?? header)
  for (const vehicleId of findAddressedVehicles(config, keyring, recipientsOf(headers))) {
    await inTransaction(db, async (tx) => {
      const vehicle = await lockVehicle(tx, vehicleId)
      if (vehicle && (await findSideState(tx, vehicleId))) {
        await markArrived(tx, keyring, vehicleId, { way: 'mail', mailHash })
      }
    })
  }
}
