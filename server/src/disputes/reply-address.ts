import type { Config } from '../config.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { idAt, idsToBytes, readSigned, sign } from '../encryption/signed-ids.ts'

type InboundConfig = Pick<Config, 'INBOUND_ADDRESS'>

/** 96 bits: nobody guesses them over a network. */
const MAC_BYTES = 12
const TOKEN_BYTES = 28
const PURPOSE = 'reply about documents'
/** Five bits of 28 bytes in each character. */
const TOKEN_CHARACTERS = 45
const BITS_PER_CHARACTER = 5n
const RADIX = 32

/**
 * Returns the address that one side of a dispute sends its documents to, by which the mail is recognized as this side's; null
 * when this installation receives no mail. In lower case and digits: some mail servers change the case.
 */
export function documentsAddress(
  { INBOUND_ADDRESS }: InboundConfig,
  keyring: Keyring,
  vehicleId: string,
): string | null {
  if (INBOUND_ADDRESS === undefined) return null
  const at = INBOUND_ADDRESS.lastIndexOf('@')
  const bytes = sign(keyring, PURPOSE, idsToBytes(vehicleId), MAC_BYTES)
  const token = BigInt(`0x${bytes.toString('hex')}`)
    .toString(RADIX)
    .padStart(TOKEN_CHARACTERS, '0')
  return `${INBOUND_ADDRESS.slice(0, at)}+${token}${INBOUND_ADDRESS.slice(at)}`
}

/** Returns the vehicle that a token names; null when this installation has not made the token. */
function vehicleOfToken(keyring: Keyring, token: string): string | null {
  let number = 0n
  for (const character of token) number = (number << BITS_PER_CHARACTER) + BigInt(Number.parseInt(character, RADIX))
  const hex = number.toString(16).padStart(2 * TOKEN_BYTES, '0')
  if (hex.length !== 2 * TOKEN_BYTES) return null
  const content = readSigned(keyring, PURPOSE, Buffer.from(hex, 'hex'), MAC_BYTES)
  return content && idAt(content, 0)
}

/** Finds the vehicles whose address of `documentsAddress` is among the recipients of a mail. */
export function findAddressedVehicles(
  { INBOUND_ADDRESS }: InboundConfig,
  keyring: Keyring,
  recipients: string[],
): string[] {
  if (INBOUND_ADDRESS === undefined) return []
  const at = INBOUND_ADDRESS.lastIndexOf('@')
  const [local, domain] = [INBOUND_ADDRESS.slice(0, at), INBOUND_ADDRESS.slice(at)].map((part) => RegExp.escape(part))
  const pattern = new RegExp(`(?<![\\w.+-])${local}\\+([0-9a-v]{${TOKEN_CHARACTERS}})${domain}(?![\\w.-])`, 'gi')
  const vehicles = recipients.flatMap((text) =>
    [...text.matchAll(pattern)].map(([, token]) => vehicleOfToken(keyring, token!.toLowerCase())),
  )
  return [...new Set(vehicles.filter((id) => id !== null))]
}
