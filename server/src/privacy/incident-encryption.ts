import type { Locale } from '#contract/product.ts'
import { type DecryptContext, reportUndecryptable } from '../encryption/decrypt-for-display.ts'
import {
  type AssociatedData,
  DecryptionError,
  decryptText,
  encryptText,
  type Keyring,
} from '../encryption/envelope-encryption.ts'
import type { IncidentTexts } from './incident-queries.ts'

const associatedData = (id: string): AssociatedData => ({ table: 'incidents', column: 'text', id })

/** Shown in place of texts that were damaged, or whose key was lost. */
const UNREADABLE: Record<Locale, string> = {
  en: 'This text cannot be shown.',
  'fr-CA': 'Ce texte ne peut pas être affiché.',
}

/** Encrypts the texts of an entry together. */
export const encryptIncident = (keyring: Keyring, id: string, texts: IncidentTexts): Buffer => {
  const { occurred, what_happened, whose_data, what_was_done, risk_reason, who_was_told } = texts
  const json = JSON.stringify({ occurred, what_happened, whose_data, what_was_done, risk_reason, who_was_told })
  return encryptText(keyring, associatedData(id), json)
}

/** Decrypts the texts of an entry for its reader; damaged ones leave the rest of the register readable. */
export function decryptIncident(
  { keyring, log, locale }: DecryptContext,
  id: string,
  encrypted: Buffer | null,
): IncidentTexts {
  try {
    if (encrypted !== null) return JSON.parse(decryptText(keyring, associatedData(id), encrypted))
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    reportUndecryptable(log, associatedData(id))
  }
  const text = UNREADABLE[locale]
  return {
    occurred: text,
    what_happened: text,
    whose_data: text,
    what_was_done: text,
    risk_reason: text,
    who_was_told: text,
  }
}
