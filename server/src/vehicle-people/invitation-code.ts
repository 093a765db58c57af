import { randomBytes, randomInt } from 'node:crypto'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { canonicalAddress } from '../limits/canonical-address.ts'

/** Letters and digits that nobody takes for one another when they are read aloud or typed. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 8
const LINK_BYTES = 32
const LINK = /^[A-Za-z0-9_-]{43}$/

/** Generates a code to read from a screen: 39 bits, for 15 minutes and ten tries an hour. */
export const generateCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Generates the code in a link. */
export const generateLinkCode = (): string => randomBytes(LINK_BYTES).toString('base64url')

/** Returns a code as it is shown: in two groups. One of a link stays as it is. */
export const formatCode = (code: string): string =>
  code.length === CODE_LENGTH ? `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}` : code

/** Returns a code as it was generated, however it was typed. */
export function parseCode(typed: string): string {
  const trimmed = typed.trim()
  return LINK.test(trimmed) ? trimmed : trimmed.toUpperCase().replace(/[^A-Z0-9]/g, '')
}

/** Hashes a code, to find its invitation: the database alone gives no code away. */
export const hashCode = (keyring: Keyring, code: string): Buffer => keyedHash(keyring, 'invitation', code)

/** Hashes the mailbox an invitation is for, together with the invitation. */
export const hashInvitee = (keyring: Keyring, invitationId: string, address: string): Buffer =>
  keyedHash(keyring, 'invitee', `${invitationId} ${canonicalAddress(address)}`)
