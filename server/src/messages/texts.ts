import type { Locale } from '#contract/product.ts'
import { type Keyring, type Place, sealText } from '../sealing/seal.ts'
import { type Reader, showText } from '../sealing/show-text.ts'

const place = (column: 'content' | 'reply', id: string): Place => ({ table: 'messages', column, id })

/** Stands where a stored text was damaged or moved. */
const CONTENT_LOST: Record<Locale, string> = {
  en: 'This message cannot be shown.',
  'fr-CA': 'Ce message ne peut pas être affiché.',
}
const REPLY_LOST: Record<Locale, string> = {
  en: 'This reply cannot be shown.',
  'fr-CA': 'Cette réponse ne peut pas être affichée.',
}

export const sealContent = (keyring: Keyring, id: string, text: string): Buffer =>
  sealText(keyring, place('content', id), text)
export const sealReply = (keyring: Keyring, id: string, text: string): Buffer =>
  sealText(keyring, place('reply', id), text)

export const openContent = (reader: Reader, id: string, sealed: Buffer): string =>
  showText(reader, place('content', id), sealed, CONTENT_LOST)
export const openReply = (reader: Reader, id: string, sealed: Buffer | null): string | null =>
  sealed && showText(reader, place('reply', id), sealed, REPLY_LOST)
