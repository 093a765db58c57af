import type { Locale } from '#contract/product.ts'
import { type AssociatedData, decryptText, encryptText, type Keyring } from '../encryption/envelope-encryption.ts'

const associatedData = (vehicleId: string): AssociatedData => ({
  table: 'vehicles',
  column: 'reject_reason',
  id: vehicleId,
})

/** Seals why a vehicle is rejected (decision 0058). */
export const encryptRejectReason = (keyring: Keyring, vehicleId: string, reason: string): Buffer =>
  encryptText(keyring, associatedData(vehicleId), reason)

/** Throws an DecryptionError: a mail without its reason is better tried again than sent. */
export const decryptRejectReason = (keyring: Keyring, vehicleId: string, sealed: Buffer): string =>
  decryptText(keyring, associatedData(vehicleId), sealed)

/** The reason when the documents of a challenge did not come in time (decision 0049), in the owner's language. */
export const overdueReason: Record<Locale, (day: string) => string> = {
  en: (day) => `The documents we asked for did not arrive by ${day}.`,
  'fr-CA': (day) => `Nous n’avons pas reçu les documents demandés au plus tard le ${day}.`,
}
