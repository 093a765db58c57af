import type { NewVehicle } from '#contract/new-vehicle.ts'
import { plateKey } from '#contract/plates.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { documentsDueAt } from '../disputes/business-days.ts'
import type { DisputeMailData } from '../disputes/emails.ts'
import { challengeHistory, disputesOnPlate, insertChallengeStarted, insertDispute } from '../disputes/queries.ts'
import { assertMayChallenge, CHALLENGE_PERIOD_DAYS } from '../disputes/rules.ts'
import { queueMail } from '../email/outbox.ts'
import { countAgainst, personKey, scaled } from '../http/rate-limit.ts'
import { LIMITS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { catalogueFaults } from './catalogue.ts'
import { countHeldVehicles, holdersOfPlate, insertVehicle, lockOwner, lockPlate, setVehicleStatus } from './queries.ts'
import { type Incumbent, incumbentOf } from './rules.ts'

export type Registration = { status: 'registered' | 'dispute_started'; vehicle: Vehicle }

/**
 * Registers a plate for a person: at once when it is free, as a challenge when somebody has it (spec §4). Every try
 * counts towards the day's limit, also a refused one: its answer tells whether the plate is taken.
 */
export async function registerVehicle(
  { db, config, keyring, outbox }: Pick<Parts, 'db' | 'config' | 'keyring' | 'outbox'>,
  ownerId: string,
  wish: NewVehicle,
): Promise<Registration> {
  const faults = catalogueFaults(wish.make, wish.model)
  if (faults) refuse('invalid_input', { fields: faults })
  const { most, windowS } = LIMITS.registrationsADay
  const counter = personKey(keyring, 'register', ownerId)
  const { allowed, retryAfterS } = await countAgainst(db, counter, scaled(most, config), windowS)
  if (!allowed) refuse('too_many_requests', { retryAfterS })

  const heldMax = scaled(LIMITS.heldVehicles.most, config)
  const key = plateKey(wish.plate)
  const registration = await inTransaction(db, async (tx): Promise<Registration> => {
    if (!(await lockOwner(tx, ownerId))) refuse('session_ended')
    await lockPlate(tx, wish.province, key)
    const holders = await holdersOfPlate(tx, wish.province, key)
    if (holders.some((holder) => holder.user_id === ownerId)) refuse('already_yours')
    if ((await countHeldVehicles(tx, ownerId)) >= heldMax) refuse('too_many_vehicles')
    const incumbent = incumbentOf(holders, await disputesOnPlate(tx, wish.province, key))
    if (incumbent) return challenge(tx, ownerId, wish, incumbent)
    const vehicle = await insertVehicle(tx, ownerId, wish, 'active')
    return { status: 'registered', vehicle: { ...vehicle, dispute: null } }
  })
  if (registration.status === 'dispute_started') outbox.wake()
  return registration
}

/** Starts a dispute, or joins the one there is (design decisions 3, 5 and 6). */
async function challenge(
  tx: Db,
  challengerId: string,
  wish: NewVehicle,
  incumbent: NonNullable<Incumbent>,
): Promise<Registration> {
  assertMayChallenge(await challengeHistory(tx, challengerId, CHALLENGE_PERIOD_DAYS))
  const vehicle = await insertVehicle(tx, challengerId, wish, 'pending_verification')
  const dueAt = documentsDueAt(new Date(vehicle.created_at))
  const disputeId = await insertDispute(
    tx,
    {
      province: wish.province,
      plate: wish.plate,
      incumbent_vehicle_id: incumbent.vehicleId,
      incumbent_status: incumbent.status,
      challenger_vehicle_id: vehicle.id,
      documents_due_at: dueAt,
    },
    plateKey(wish.plate),
  )
  await insertChallengeStarted(tx, challengerId)
  const toChallenger: DisputeMailData = { vehicle_id: vehicle.id }
  await queueMail(tx, { kind: 'dispute_challenger', refId: disputeId, recipientId: challengerId, data: toChallenger })
  // a verified owner stays live; and the owner of a plate in dispute has been asked for proof already
  const verified = incumbent.status === 'verified'
  if (!verified) await setVehicleStatus(tx, [incumbent.vehicleId], 'pending_verification')
  if (!incumbent.disputed) {
    const kind = verified ? 'dispute_verified_owner' : 'dispute_incumbent'
    const data: DisputeMailData = { vehicle_id: incumbent.vehicleId }
    await queueMail(tx, { kind, refId: disputeId, recipientId: incumbent.ownerId, data })
  }
  return {
    status: 'dispute_started',
    vehicle: { ...vehicle, dispute: { documents_due_at: dueAt.toISOString(), role: 'challenger' } },
  }
}
