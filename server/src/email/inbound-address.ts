import type { Config } from '../config.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { idsToBytes, readSigned, sign } from '../encryption/signed-ids.ts'

type InboundConfig = Pick<Config, 'INBOUND_ADDRESS'>

/** 96 bits: nobody guesses them over a network. */
const MAC_BYTES = 12
const TOKEN_BYTES = 28
/** Five bits of 28 bytes in each character. */
const TOKEN_CHARACTERS = 45
const BITS_PER_CHARACTER = 5n
const RADIX = 32

/** Says of an address that the documents of a vehicle's side come to it, as replies to the email about a dispute. */
export const FOR_DOCUMENTS = 'reply about documents'
/** Says of an address that an email comes back to it which left for this one: not what came back from an account's former one. */
export const forReturn = (to: string): string => `return of an email to ${to}`

/**
 * Returns an address that something comes to and that nobody else can make up; null when this installation receives no mail. In
 * lower case and digits: some mail servers change the case.
 *
 * @param id what it is about
 */
export function inboundAddress(
  { INBOUND_ADDRESS }: InboundConfig,
  keyring: Keyring,
  purpose: string,
  id: string,
): string | null {
  if (INBOUND_ADDRESS === undefined) return null
  const at = INBOUND_ADDRESS.lastIndexOf('@')
  const bytes = sign(keyring, purpose, idsToBytes(id), MAC_BYTES)
  const token = BigInt(`0x${bytes.toString('hex')}`)
    .toString(RADIX)
    .padStart(TOKEN_CHARACTERS, '0')
  return `${INBOUND_ADDRESS.slice(0, at)}+${token}${INBOUND_ADDRESS.slice(at)}`
}

/** What an address names, and whether this installation has made it for that. */
export type InboundToken = { id: string; isFor: (purpose: string) => boolean }

function readInboundToken(keyring: Keyring, token: string): InboundToken[] {
  let number = 0n
  for (const character of token) number = (number << BITS_PER_CHARACTER) + BigInt(Number.parseInt(character, RADIX))
  const hex = number.toString(16).padStart(2 * TOKEN_BYTES, '0')
  const [, ...id] = /^(.{8})(.{4})(.{4})(.{4})(.{12}).{24}$/.exec(hex) ?? []
  if (id.length === 0) return []
  const isFor = (purpose: string) => readSigned(keyring, purpose, Buffer.from(hex, 'hex'), MAC_BYTES) !== null
  return [{ id: id.join('-'), isFor }]
}

/** Finds the addresses of `inboundAddress` among the recipients of a mail, each once. Who has made them is to be asked. */
export function findInboundTokens(
  { INBOUND_ADDRESS }: InboundConfig,
  keyring: Keyring,
  recipients: string[],
): InboundToken[] {
  if (INBOUND_ADDRESS === undefined) return []
  const at = INBOUND_ADDRESS.lastIndexOf('@')
  const [local, domain] = [INBOUND_ADDRESS.slice(0, at), INBOUND_ADDRESS.slice(at)].map((part) => RegExp.escape(part))
  const pattern = new RegExp(`(?<![\\w.+-])${local}\\+([0-9a-v]{${TOKEN_CHARACTERS}})${domain}(?![\\w.-])`, 'gi')
  const tokens = recipients.flatMap((text) => [...text.matchAll(pattern)].map(([, token]) => token!.toLowerCase()))
  return [...new Set(tokens)].flatMap((token) => readInboundToken(keyring, token))
}
