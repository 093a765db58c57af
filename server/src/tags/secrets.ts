import { randomBytes } from 'node:crypto'
import { type DecryptContext, openOrReport } from '../encryption/decrypt-for-display.ts'
import { decryptText, encryptText, type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'

const TOKEN_BYTES = 16
const DIGITS_LENGTH = 8

/** What names a tag in the database: keyed hashes, from which neither its address nor its digits can be read. */
export type TagKey = {
  digitsHash: Buffer
  /** Null where somebody typed the digits. */
  tokenHash: Buffer | null
  /** What all tries with the token and with the digits are counted by, whether or not there is such a tag. */
  counter: string
}

/** Generates the secret in the QR code of a tag. */
export const generateToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/**
 * Returns the eight digits that stand on a tag beside its QR code. They follow from the token, so that the tries with both are
 * counted together also where there is no such tag.
 */
export const digitsOf = (keyring: Keyring, token: string): string =>
  String(keyedHash(keyring, 'tag digits', token).readUIntBE(0, 6) % 10 ** DIGITS_LENGTH).padStart(DIGITS_LENGTH, '0')

/** Hashes a token with a key, to find its tag. */
export const hashToken = (keyring: Keyring, token: string): Buffer => keyedHash(keyring, 'tag token', token)

/** Hashes the digits of a tag with a key, to find it. */
export const hashDigits = (keyring: Keyring, digits: string): Buffer => keyedHash(keyring, 'tag by digits', digits)

/** Hashes a receipt with a key, to find its message. */
export const hashReceipt = (keyring: Keyring, receipt: string): Buffer => keyedHash(keyring, 'receipt', receipt)

/** Returns what names the tag that somebody refers to by its token or its digits. */
export function tagKey(keyring: Keyring, reference: string): TagKey {
  const isDigits = /^\d{8}$/.test(reference)
  const digits = isDigits ? reference : digitsOf(keyring, reference)
  return {
    digitsHash: hashDigits(keyring, digits),
    tokenHash: isDigits ? null : hashToken(keyring, reference),
    counter: `tag:${keyedHash(keyring, 'counter', `tag ${digits}`).toString('base64url')}`,
  }
}

const tagData = (id: string, vehicleId: string) => ({ table: 'tags', column: 'token', id, boundTo: vehicleId })

/** Encrypts the token of a tag, bound to its vehicle. */
export const encryptToken = (keyring: Keyring, id: string, vehicleId: string, token: string): Buffer =>
  encryptText(keyring, tagData(id, vehicleId), token)

/** Decrypts the token of a tag. Throws a DecryptionError. */
export const decryptToken = (keyring: Keyring, id: string, vehicleId: string, encrypted: Buffer): string =>
  decryptText(keyring, tagData(id, vehicleId), encrypted)

const pushData = (id: string) => ({ table: 'receipt_pushes', column: 'receipt', id })

/** Encrypts a receipt for the push that opens it. */
export const encryptReceipt = (keyring: Keyring, id: string, receipt: string): Buffer =>
  encryptText(keyring, pushData(id), receipt)

/** Decrypts a receipt. Returns null for one that was damaged. */
export const readReceipt = (
  { keyring, log }: Pick<DecryptContext, 'keyring' | 'log'>,
  id: string,
  encrypted: Buffer,
): string | null => openOrReport(log, pushData(id), () => decryptText(keyring, pushData(id), encrypted))
