import type { NewVehicle } from '#contract/new-vehicle.ts'
import { plateKey } from '#contract/plates.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { getDocumentsDueAt } from '../disputes/business-days.ts'
import type { DisputeMailData } from '../disputes/emails.ts'
import {
  type ChallengingPerson,
  findDisputesByPlate,
  getChallengeHistory,
  insertChallengeStarted,
  insertDispute,
} from '../disputes/queries.ts'
import { assertCanChallenge, pausesPlate } from '../disputes/state-machine.ts'
import { queueMail } from '../email/outbox.ts'
import { personLimitKey } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { notify } from '../notifications/notify.ts'
import { refuse } from '../refusal.ts'
import { refuseOwnCase, takersOfPlate } from '../subjects/own-case.ts'
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
 * Every attempt counts towards the daily limit, whatever comes of it: each answer reveals whether the plate is taken, also
 * the one to a person who may not challenge it (decision plate-disputes). Refuses with `own_case` an admin who took the plate from somebody (decision admin-inbox).
 */
export async function registerVehicle(
  { db, config, keyring, outbox, live }: Pick<AppContext, 'db' | 'config' | 'keyring' | 'outbox' | 'live'>,
  owner: { id: string; personHash: Buffer },
  input: NewVehicle,
): Promise<Registration> {
  const fieldErrors = validateMakeAndModel(input.make, input.model)
  if (fieldErrors) refuse('invalid_input', { fields: fieldErrors })
  await enforceLimit(db, config, 'registrationsPerDay', personLimitKey(keyring, 'register', owner.personHash))

  const maxVehicles = scaleLimit(LIMITS.vehiclesPerUser.max, config)
  const key = plateKey(input.plate)
  const person: ChallengingPerson = { userId: owner.id, personHash: owner.personHash }
  let notified: string[] = []
  const registration = await inTransaction(db, async (tx): Promise<Registration> => {
    if (!(await lockOwner(tx, owner.id, person.personHash))) refuse('session_ended')
    await lockPlate(tx, input.province, key)
    const registered = await findVehiclesByPlate(tx, input.province, key)
    if (registered.some((vehicle) => vehicle.user_id === owner.id)) refuse('already_yours')
    if ((await countRegisteredVehicles(tx, owner.id)) >= maxVehicles) refuse('too_many_vehicles')
    await refuseOwnCase(tx, owner, takersOfPlate(tx, input.province, key))
    const incumbent = findIncumbent(registered, await findDisputesByPlate(tx, input.province, key))
    if (incumbent) {
      assertCanChallenge(await getChallengeHistory(tx, person))
      const challenge = await startChallenge(tx, person, input, incumbent)
      notified = challenge.notified
      return challenge.registration
    }
    const vehicle = await insertVehicle(tx, owner.id, input, 'active')
    return { status: 'registered', vehicle: { ...vehicle, dispute: null } }
  })
  live.publish(notified)
  if (registration.status === 'dispute_started') outbox.wake()
  return registration
}

/**
 * Starts a dispute, or joins the open one (decision plate-disputes).
 *
 * @returns also whom to wake after the commit
 */
async function startChallenge(
  tx: Db,
  challenger: ChallengingPerson,
  input: NewVehicle,
  incumbent: NonNullable<Incumbent>,
): Promise<{ registration: Registration; notified: string[] }> {
  const vehicle = await insertVehicle(tx, challenger.userId, input, 'pending_verification')
  const dueAt = getDocumentsDueAt(new Date(vehicle.created_at))
  const pauses = pausesPlate(incumbent)
  const disputeId = await insertDispute(
    tx,
    {
      province: input.province,
      plate: input.plate,
      incumbent_vehicle_id: incumbent.vehicleId,
      incumbent_status: incumbent.status,
      incumbent_succeeded: incumbent.succeeded,
      challenger_vehicle_id: vehicle.id,
      challenger_person: challenger.personHash,
      pauses,
      documents_due_at: dueAt,
    },
    plateKey(input.plate),
  )
  await insertChallengeStarted(tx, challenger)
  const toChallenger: DisputeMailData = { vehicle_id: vehicle.id }
  await queueMail(tx, {
    kind: 'dispute_challenger',
    refId: disputeId,
    recipientId: challenger.userId,
    data: toChallenger,
  })
  const isPausedNow = pauses && !incumbent.paused
  // the owner of a plate in dispute was already asked for documents, and hears again only when it stops working
  const isNews = !incumbent.disputed || isPausedNow
  if (isNews) {
    const about = { plate: incumbent.plate, vehicle_id: incumbent.vehicleId }
    await notify(tx, [{ userId: incumbent.ownerId, type: 'plate_disputed', data: about }])
  }
  if (isPausedNow) await setVehicleStatus(tx, [incumbent.vehicleId], 'pending_verification')
  if (isNews) {
    const whileLive = incumbent.status === 'verified' ? 'dispute_verified_owner' : 'dispute_live_owner'
    const kind = isPausedNow ? 'dispute_incumbent' : whileLive
    const data: DisputeMailData = { vehicle_id: incumbent.vehicleId }
    await queueMail(tx, { kind, refId: disputeId, recipientId: incumbent.ownerId, data })
  }
  return {
    registration: {
      status: 'dispute_started',
      vehicle: { ...vehicle, dispute: { documents_due_at: dueAt.toISOString(), role: 'challenger' } },
    },
    notified: isNews ? [incumbent.ownerId] : [],
  }
}
