import { type Keyring, openText, type Place, sealText, UnsealError } from '../sealing/seal.ts'

const place = (column: 'content' | 'reply', id: string): Place => ({ table: 'messages', column, id })

/** Shown where a stored text was damaged or moved: the rest of the list stays readable. */
const UNREADABLE = '⚠'

export const sealContent = (keyring: Keyring, id: string, text: string): Buffer =>
  sealText(keyring, place('content', id), text)
export const sealReply = (keyring: Keyring, id: string, text: string): Buffer =>
  sealText(keyring, place('reply', id), text)

const open = (keyring: Keyring, where: Place, sealed: Buffer): string => {
  try {
    return openText(keyring, where, sealed)
  } catch (error) {
    if (error instanceof UnsealError) return UNREADABLE
    throw error
  }
}

export const openContent = (keyring: Keyring, id: string, sealed: Buffer): string =>
  open(keyring, place('content', id), sealed)
export const openReply = (keyring: Keyring, id: string, sealed: Buffer | null): string | null =>
  sealed && open(keyring, place('reply', id), sealed)
