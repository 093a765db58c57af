import type { NewVehicle } from '#contract/new-vehicle.ts'
import { plateKey } from '#contract/plates.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { getDocumentsDueAt } from '../disputes/business-days.ts'
import type { DisputeMailData } from '../disputes/emails.ts'
import { findDisputesByPlate, getChallengeHistory, insertChallengeStarted, insertDispute } from '../disputes/queries.ts'
import { assertCanChallenge } from '../disputes/rules.ts'
import { queueMail } from '../email/outbox.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit, userLimitKey } from '../limits/rate-limiter.ts'
import { refuse } from '../refusal.ts'
import { validateMakeAndModel } from './catalogue.ts'
import {
  countRegisteredVehicles,
  findVehiclesByPlate,
  insertVehicle,
  lockOwner,
  lockPlate,
  setVehicleStatus,
} from './queries.ts'
import { findIncumbent, type Incumbent } from './rules.ts'

export type Registration = { status: 'registered' | 'dispute_started'; vehicle: Vehicle }

/**
 * Registers a plate for a person: immediately when it is free, as a challenge when somebody has it (requirements §4).
 * Every attempt counts towards the daily limit, also a refused one: its response reveals whether the plate is taken.
 */
export async function registerVehicle(
  { db, config, keyring, outbox }: Pick<AppContext, 'db' | 'config' | 'keyring' | 'outbox'>,
  ownerId: string,
  input: NewVehicle,
): Promise<Registration> {
  const fieldErrors = validateMakeAndModel(input.make, input.model)
  if (fieldErrors) refuse('invalid_input', { fields: fieldErrors })
  await enforceLimit(db, config, 'registrationsPerDay', userLimitKey(keyring, 'register', ownerId))

  const maxVehicles = scaleLimit(LIMITS.vehiclesPerUser.max, config)
  const key = plateKey(input.plate)
  const registration = await inTransaction(db, async (tx): Promise<Registration> => {
    if (!(await lockOwner(tx, ownerId))) refuse('session_ended')
    await lockPlate(tx, input.province, key)
    const registered = await findVehiclesByPlate(tx, input.province, key)
    if (registered.some((vehicle) => vehicle.user_id === ownerId)) refuse('already_yours')
    if ((await countRegisteredVehicles(tx, ownerId)) >= maxVehicles) refuse('too_many_vehicles')
    const incumbent = findIncumbent(registered, await findDisputesByPlate(tx, input.province, key))
    if (incumbent) return startChallenge(tx, ownerId, input, incumbent)
    const vehicle = await insertVehicle(tx, ownerId, input, 'active')
    return { status: 'registered', vehicle: { ...vehicle, dispute: null } }
  })
  if (registration.status === 'dispute_started') outbox.wake()
  return registration
}

/** Starts a dispute, or joins the open one (decisions 0048, 0050 and 0051). */
async function startChallenge(
  tx: Db,
  challengerId: string,
  input: NewVehicle,
  incumbent: NonNullable<Incumbent>,
): Promise<Registration> {
  assertCanChallenge(await getChallengeHistory(tx, challengerId))
  const vehicle = await insertVehicle(tx, challengerId, input, 'pending_verification')
  const dueAt = getDocumentsDueAt(new Date(vehicle.created_at))
  const disputeId = await insertDispute(
    tx,
    {
      province: input.province,
      plate: input.plate,
      incumbent_vehicle_id: incumbent.vehicleId,
      incumbent_status: incumbent.status,
      challenger_vehicle_id: vehicle.id,
      documents_due_at: dueAt,
    },
    plateKey(input.plate),
  )
  await insertChallengeStarted(tx, challengerId)
  const toChallenger: DisputeMailData = { vehicle_id: vehicle.id }
  await queueMail(tx, { kind: 'dispute_challenger', refId: disputeId, recipientId: challengerId, data: toChallenger })
  // a verified owner stays live; and the owner of a plate in dispute was already asked for documents
  const isVerified = incumbent.status === 'verified'
  if (!isVerified) await setVehicleStatus(tx, [incumbent.vehicleId], 'pending_verification')
  if (!incumbent.disputed) {
    const kind = isVerified ? 'dispute_verified_owner' : 'dispute_incumbent'
    const data: DisputeMailData = { vehicle_id: incumbent.vehicleId }
    await queueMail(tx, { kind, refId: disputeId, recipientId: incumbent.ownerId, data })
  }
  return {
    status: 'dispute_started',
    vehicle: { ...vehicle, dispute: { documents_due_at: dueAt.toISOString(), role: 'challenger' } },
  }
}
