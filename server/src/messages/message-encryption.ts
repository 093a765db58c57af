import type { Locale } from '#contract/product.ts'
import { type DecryptContext, decryptForDisplay } from '../encryption/decrypt-for-display.ts'
import { type AssociatedData, encryptText, type Keyring } from '../encryption/envelope-encryption.ts'

const associatedData = (column: 'content' | 'reply', id: string): AssociatedData => ({ table: 'messages', column, id })

/** Shown in place of a stored text that was damaged or moved. */
const CONTENT_UNREADABLE: Record<Locale, string> = {
  en: 'This message cannot be shown.',
  'fr-CA': 'Ce message ne peut pas être affiché.',
}
const REPLY_UNREADABLE: Record<Locale, string> = {
  en: 'This reply cannot be shown.',
  'fr-CA': 'Cette réponse ne peut pas être affichée.',
}

export const encryptContent = (keyring: Keyring, id: string, text: string): Buffer =>
  encryptText(keyring, associatedData('content', id), text)
export const encryptReply = (keyring: Keyring, id: string, text: string): Buffer =>
  encryptText(keyring, associatedData('reply', id), text)

export const decryptContent = (decryptContext: DecryptContext, id: string, encrypted: Buffer): string =>
  decryptForDisplay(decryptContext, associatedData('content', id), encrypted, CONTENT_UNREADABLE)
export const decryptReply = (decryptContext: DecryptContext, id: string, encrypted: Buffer | null): string | null =>
  encrypted && decryptForDisplay(decryptContext, associatedData('reply', id), encrypted, REPLY_UNREADABLE)
