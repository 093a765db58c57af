import type { Locale } from '#contract/product.ts'
import { type AssociatedData, decryptText, encryptText, type Keyring } from '../encryption/envelope-encryption.ts'

const associatedData = (vehicleId: string): AssociatedData => ({
  table: 'vehicles',
  column: 'reject_reason',
  id: vehicleId,
})

/** Encrypts why a vehicle is rejected (decision encryption-at-rest). */
export const encryptRejectReason = (keyring: Keyring, vehicleId: string, reason: string): Buffer =>
  encryptText(keyring, associatedData(vehicleId), reason)

/**
 * Decrypts why a vehicle is rejected. Throws a `DecryptionError`: an email without its reason is better retried than
 * sent.
 */
export const decryptRejectReason = (keyring: Keyring, vehicleId: string, encrypted: Buffer): string =>
  decryptText(keyring, associatedData(vehicleId), encrypted)

/** The reason when a challenger's documents did not arrive in time (decision plate-disputes), in the owner's language. */
export const overdueReason: Record<Locale, (day: string) => string> = {
  en: (day) => `We hadn’t recorded any documents from you by ${day}.`,
  'fr-CA': (day) => `Nous n’avions consigné aucun document de votre part en date du ${day}.`,
}
