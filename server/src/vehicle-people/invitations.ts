import { randomInt } from 'node:crypto'
import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { vehicleCan } from '#contract/vehicles.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMails } from '../email/outbox.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { generateSecret, isSecret } from '../encryption/secrets.ts'
import { canonicalAddress, personLimitKey } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { notify } from '../notifications/notify.ts'
import { refuse } from '../refusal.ts'
import { findOwnVehicle } from '../vehicles/queries.ts'
import { insertInvitation, lockInvitation, spendInvitation } from './invitation-queries.ts'
import { insertDriver, lockDrivers } from './queries.ts'

/** Letters and digits that nobody takes for one another when they are read aloud or typed. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_LENGTH = 8

/** Generates a code to read from a screen: 39 bits, for 15 minutes and ten tries an hour. */
const generateCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Returns a code as it is shown: in two groups. One of a link stays as it is. */
const formatCode = (code: string): string =>
  code.length === CODE_LENGTH ? `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}` : code

/** Returns a code as it was generated, however it was typed. */
function parseCode(typed: string): string {
  const trimmed = typed.trim()
  return isSecret(trimmed) ? trimmed : trimmed.toUpperCase().replace(/[^A-Z0-9]/g, '')
}

/** Hashes a code, to find its invitation: the database alone gives no code away. */
const hashCode = (keyring: Keyring, code: string): Buffer => keyedHash(keyring, 'invitation', code)

/** Hashes the mailbox an invitation is for, together with the invitation. */
const hashInvitee = (keyring: Keyring, invitationId: string, address: string): Buffer =>
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
  const vehicle = (await findOwnVehicle(db, vehicleId, owner.id)) ?? refuse('not_found')
  if (!vehicleCan('receiveMessage', vehicle)) refuse('vehicle_not_active')
  await enforceLimit(db, config, 'invitationsPerDay', personLimitKey(keyring, 'invite', owner.personHash))
  const id = newId()
  const code = email === undefined ? generateCode() : generateSecret()
  const expires_at = await insertInvitation(db, {
    id,
    vehicleId,
    codeHash: hashCode(keyring, code),
    inviteeHash: email === undefined ? null : hashInvitee(keyring, id, email),
    validFor: email === undefined ? CODE_VALID_FOR : LINK_VALID_FOR,
  })
  return { id, code: formatCode(code), url: config.PUBLIC_URL + localizedPath(paths.invite(code), locale), expires_at }
}

/**
 * Makes somebody a driver of the vehicle they were invited to (decision vehicle-people): of messages that come from now on. A code that
 * is wrong, used, expired, withdrawn or for another address, and one of a vehicle whose owner is suspended or that is not
 * active any more, get one response. Everybody of the vehicle is notified that somebody joined: anybody who had the owner's
 * phone in their hand for a minute cannot read along unnoticed.
 *
 * Refuses with `invitation_invalid`, `already_in_vehicle`, `vehicle_full`, `too_many_requests`.
 */
export async function acceptInvitation(
  { db, config, keyring, live, outbox }: Pick<AppContext, 'db' | 'config' | 'keyring' | 'live' | 'outbox'>,
  person: { id: string; email: string; personHash: Buffer },
  typed: string,
): Promise<{ vehicle_id: string; plate: string }> {
  await enforceLimit(
    db,
    config,
    'invitationCodesPerHour',
    personLimitKey(keyring, 'invitation code', person.personHash),
  )
  const { others, ...joined } = await inTransaction(db, async (tx) => {
    const invitation = (await lockInvitation(tx, hashCode(keyring, parseCode(typed)))) ?? refuse('invitation_invalid')
    const { id, vehicle_id, invitee_hash, plate, owner_id, is_owner_suspended } = invitation
    if (invitee_hash && !invitee_hash.equals(hashInvitee(keyring, id, person.email))) refuse('invitation_invalid')
    if (is_owner_suspended || !vehicleCan('receiveMessage', invitation)) refuse('invitation_invalid')
    const drivers = await lockDrivers(tx, vehicle_id)
    const others = [owner_id, ...drivers]
    if (others.includes(person.id)) refuse('already_in_vehicle')
    if (drivers.length >= scaleLimit(LIMITS.driversPerVehicle.max, config)) refuse('vehicle_full')
    const driverId = await insertDriver(tx, vehicle_id, person.id)
    await spendInvitation(tx, id)
    const data = { plate, vehicle_id }
    await notify(
      tx,
      others.map((userId) => ({ userId, type: 'driver_joined', data })),
    )
    await queueMails(tx, { kind: 'driver_joined', refId: driverId }, others)
    return { vehicle_id, plate, others }
  })
  live.publish(others)
  outbox.wake()
  return joined
}
