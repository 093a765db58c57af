import { randomBytes, randomInt } from 'node:crypto'
import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { vehicleCan } from '#contract/vehicles.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { canonicalAddress, personLimitKey } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { refuse } from '../refusal.ts'
import { findOwnStatus, insertInvitation } from './invitation-queries.ts'

/** Letters and digits that nobody takes for one another when they are read aloud or typed. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 8
const LINK_BYTES = 32
const LINK = /^[A-Za-z0-9_-]{43}$/

/** Generates a code to read from a screen: 39 bits, for 15 minutes and ten tries an hour. */
const generateCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Generates the code in a link. */
const generateLinkCode = (): string => randomBytes(LINK_BYTES).toString('base64url')

/** Returns a code as it is shown: in two groups. One of a link stays as it is. */
const formatCode = (code: string): string =>
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

const CODE_VALID_FOR = '15 minutes'
const LINK_VALID_FOR = '7 days'

/**
 * Invites a driver (decision vehicle-people): with a code to read from the owner's screen, or with a link that works for one address.
 * Nothing is looked up by the address, and nothing is sent to it: the owner passes the link on.
 *
 * Refuses with `not_found`, `vehicle_not_active`, `too_many_requests`.
 */
export async function inviteDriver(
  { db, config, keyring }: Pick<AppContext, 'db' | 'config' | 'keyring'>,
  owner: { id: string; personHash: Buffer },
  vehicleId: string,
  { email, locale }: { email: string | undefined; locale: Locale },
) {
  const status = (await findOwnStatus(db, vehicleId, owner.id)) ?? refuse('not_found')
  if (!vehicleCan('receiveMessage', { status })) refuse('vehicle_not_active')
  await enforceLimit(db, config, 'invitationsPerDay', personLimitKey(keyring, 'invite', owner.personHash))
  const id = newId()
  const code = email === undefined ? generateCode() : generateLinkCode()
  const expires_at = await insertInvitation(db, {
    id,
    vehicleId,
    codeHash: hashCode(keyring, code),
    inviteeHash: email === undefined ? null : hashInvitee(keyring, id, email),
    validFor: email === undefined ? CODE_VALID_FOR : LINK_VALID_FOR,
  })
  return { id, code: formatCode(code), url: config.PUBLIC_URL + localizedPath(paths.invite(code), locale), expires_at }
}
