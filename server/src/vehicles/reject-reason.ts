import type { Locale } from '#contract/product.ts'
import { type Keyring, openText, type Place, sealText } from '../sealing/seal.ts'

const place = (vehicleId: string): Place => ({ table: 'vehicles', column: 'reject_reason', id: vehicleId })

/** Seals why a vehicle is rejected (design decision 13). */
export const sealRejectReason = (keyring: Keyring, vehicleId: string, reason: string): Buffer =>
  sealText(keyring, place(vehicleId), reason)

/** Throws an UnsealError: a mail without its reason is better tried again than sent. */
export const openRejectReason = (keyring: Keyring, vehicleId: string, sealed: Buffer): string =>
  openText(keyring, place(vehicleId), sealed)

/** The reason when the documents of a challenge did not come in time (design decision 4), in the owner's language. */
export const overdueReason: Record<Locale, (day: string) => string> = {
  en: (day) => `The documents we asked for did not arrive by ${day}.`,
  'fr-CA': (day) => `Nous n’avons pas reçu les documents demandés au plus tard le ${day}.`,
}
