import { vehicleCan } from '#contract/vehicles.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail } from '../email/outbox.ts'
import { personLimitKey } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { notify } from '../notifications/notify.ts'
import { refuse } from '../refusal.ts'
import { lockInvitation, spendInvitation } from './invitation-queries.ts'
import { hashCode, hashInvitee, parseCode } from './invite-driver.ts'
import { insertDriver, lockDrivers } from './queries.ts'

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
    for (const recipientId of others) await queueMail(tx, { kind: 'driver_joined', refId: driverId, recipientId })
    return { vehicle_id, plate, others }
  })
  live.publish(others)
  outbox.wake()
  return joined
}
