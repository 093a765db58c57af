import { m } from '#texts/messages.js'
import { type DecryptContext, decryptForDisplay } from '../encryption/decrypt-for-display.ts'
import { type AssociatedData, decryptText, encryptText, type Keyring } from '../encryption/envelope-encryption.ts'

/** The texts of a sanction and of its appeal, each bound to its row (decision encryption-at-rest). */
const associatedData = {
  reason: (id: string): AssociatedData => ({ table: 'sanctions', column: 'reason', id }),
  liftReason: (id: string): AssociatedData => ({ table: 'sanctions', column: 'lift_reason', id }),
  appeal: (id: string): AssociatedData => ({ table: 'appeals', column: 'text', id }),
  decisionReason: (id: string): AssociatedData => ({ table: 'appeals', column: 'decision_reason', id }),
}
export type SanctionText = keyof typeof associatedData

/** Encrypts a text for the row of this id. */
export const encryptSanctionText = (keyring: Keyring, text: SanctionText, id: string, plain: string): Buffer =>
  encryptText(keyring, associatedData[text](id), plain)

/** Decrypts a text. Throws a `DecryptionError`: an email without its reason is better retried than sent. */
export const decryptSanctionText = (keyring: Keyring, text: SanctionText, id: string, encrypted: Buffer): string =>
  decryptText(keyring, associatedData[text](id), encrypted)

/** Decrypts a text for its reader; null when there is none. */
export function showSanctionText(context: DecryptContext, text: SanctionText, id: string, encrypted: Buffer): string
export function showSanctionText(
  context: DecryptContext,
  text: SanctionText,
  id: string,
  encrypted: Buffer | null,
): string | null
export function showSanctionText(context: DecryptContext, text: SanctionText, id: string, encrypted: Buffer | null) {
  return encrypted && decryptForDisplay(context, associatedData[text](id), encrypted, m.unreadable_text)
}
