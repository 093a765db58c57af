import type { Province } from '#contract/provinces.ts'
import type { VehicleStatus } from '#contract/vehicles.ts'
import { newId } from '../db/ids.ts'
import { MIN_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

/** The status an incumbent had before the dispute, and gets back when the challenge fails. */
export type IncumbentStatus = Extract<VehicleStatus, 'active' | 'verified' | 'approved'>

/** One open challenge. */
export type Dispute = {
  id: string
  incumbent_vehicle_id: string
  incumbent_status: IncumbentStatus
  /** Whether the incumbent was a challenger when this began, or became its incumbent, and has never been live. */
  incumbent_succeeded: boolean
  challenger_vehicle_id: string
  /** Whether it pauses the incumbent (decision plate-disputes). */
  pauses: boolean
}

type NewDispute = Omit<Dispute, 'id'> & {
  province: Province
  plate: string
  /** The person who challenges (`hashPerson`). */
  challenger_person: Buffer
  documents_due_at: Date
}

type LockedDispute = {
  id: string
  province: Province
  plate: string
  plate_key: string
  challenger_vehicle_id: string
  documents_due_at: string
  documents_received_at: string | null
  documents_received_by: ArrivalWay | null
  is_due: boolean
}

/** How it became known that a challenger's documents arrived: an admin noted it, an upload, or a reply by email. */
type ArrivalWay = 'admin' | 'upload' | 'mail'

/** The period over which challenges of one person are counted (decision plate-disputes): as long as they are kept. */
const CHALLENGE_PERIOD = RETENTION.challenges

export const insertDispute = async (db: Db, dispute: NewDispute, plateKey: string): Promise<string> => {
  const id = newId()
  await db`
    insert into plate_disputes (id, province, plate, plate_key, incumbent_vehicle_id, incumbent_status,
      incumbent_succeeded, challenger_vehicle_id, challenger_person, pauses, documents_due_at)
    values (${id}, ${dispute.province}, ${dispute.plate}, ${plateKey}, ${dispute.incumbent_vehicle_id},
      ${dispute.incumbent_status}, ${dispute.incumbent_succeeded}, ${dispute.challenger_vehicle_id},
      ${dispute.challenger_person}, ${dispute.pauses}, ${dispute.documents_due_at})`
  return id
}

/** Finds the open challenges of a plate, oldest first. */
export const findDisputesByPlate = (db: Db, province: Province, plateKey: string) =>
  db<Dispute[]>`
    select id, incumbent_vehicle_id, incumbent_status, incumbent_succeeded, challenger_vehicle_id, pauses
    from plate_disputes
    where province = ${province} and plate_key = ${plateKey}
    order by id`

/** Finds the open challenges of every dispute that one of these vehicles is a side of, oldest first. */
export const findDisputesByVehicles = (db: Db, vehicleIds: string[]) =>
  db<Dispute[]>`
    select id, incumbent_vehicle_id, incumbent_status, incumbent_succeeded, challenger_vehicle_id, pauses
    from plate_disputes
    where incumbent_vehicle_id in (
      select incumbent_vehicle_id from plate_disputes
      where incumbent_vehicle_id = any(${vehicleIds}::uuid[]) or challenger_vehicle_id = any(${vehicleIds}::uuid[]))
    order by id`

/** Locks an open challenge until the transaction ends; undefined when it has ended. */
export const lockDispute = async (db: Db, id: string) => {
  const [row] = await db<LockedDispute[]>`
    select id, province, plate, plate_key, challenger_vehicle_id, documents_due_at, documents_received_at,
      documents_received_by, documents_due_at < now() as is_due
    from plate_disputes
    where id = ${id}
    for update`
  return row
}

/** Finds the vehicle that an open challenge is for; read before its plate can be locked. */
export const findChallengerVehicleId = async (db: Db, disputeId: string): Promise<string | undefined> => {
  const [row] = await db<{ challenger_vehicle_id: string }[]>`
    select challenger_vehicle_id from plate_disputes where id = ${disputeId}`
  return row?.challenger_vehicle_id
}

/** Notes that a challenger's documents arrived, since now unless they had already; null: that they did not. */
export const setDocumentsReceived = async (db: Db, id: string, by: ArrivalWay | null): Promise<void> => {
  await db`
    update plate_disputes set
      documents_received_at = case when ${by}::text is not null then coalesce(documents_received_at, now()) end,
      documents_received_by = ${by}
    where id = ${id}`
}

/** Returns whether uploaded documents of a side are here. */
export const hasDocumentsHere = async (db: Db, vehicleId: string): Promise<boolean> => {
  const rows = await db`select from dispute_documents where vehicle_id = ${vehicleId}`
  return rows.length > 0
}

/**
 * Lists challenges whose due date has passed without documents, oldest first, after the one given (null: from the
 * start).
 */
export const findOverdueDisputeIds = async (db: Db, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    select id from plate_disputes
    where documents_received_at is null and documents_due_at < now() and id > coalesce(${after}, ${MIN_UUID})::uuid
    order by id
    limit ${limit}`
  return rows.map(({ id }) => id)
}

export const deleteDisputes = async (db: Db, ids: string[]): Promise<void> => {
  await db`delete from plate_disputes where id = any(${ids}::uuid[])`
}

/**
 * Makes one of the challengers the one that these challenges are against. None of them is verified: all wait (decision
 * plate-disputes).
 */
export const replaceIncumbent = async (db: Db, ids: string[], incumbentId: string, status: IncumbentStatus) => {
  await db`
    update plate_disputes set incumbent_vehicle_id = ${incumbentId}, incumbent_status = ${status},
      incumbent_succeeded = true, pauses = true
    where id = any(${ids}::uuid[])`
}

/** A person's challenges, with any of their accounts, as the rule about them counts (decision plate-disputes). */
export type ChallengeHistory = {
  open: number
  /** Started within the period of the rule, open and ended ones. */
  recent: number
  /** Seconds until the oldest of the recent ones leaves the period; null without any. */
  oldest_ends_in_s: number | null
}

/** Who challenges. */
export type ChallengingPerson = { userId: string; personHash: Buffer }

/** Counts the challenges of a person, with any of their accounts. */
export const getChallengeHistory = async (
  db: Db,
  { userId, personHash }: ChallengingPerson,
): Promise<ChallengeHistory> => {
  const [row] = await db<ChallengeHistory[]>`
    select
      (select count(*)::int from plate_disputes d join vehicles v on v.id = d.challenger_vehicle_id
        where v.user_id = ${userId} or d.challenger_person = ${personHash}) as open,
      count(*)::int as recent,
      extract(epoch from min(created_at) + ${CHALLENGE_PERIOD}::interval - now())::float8 as oldest_ends_in_s
    from challenges_started
    where (user_id = ${userId} or person_hash = ${personHash})
      and created_at > now() - ${CHALLENGE_PERIOD}::interval`
  return row! // an aggregate without groups has one row
}

/** Records that a challenge was started; the record outlives the challenge and the account. */
export const insertChallengeStarted = async (db: Db, { userId, personHash }: ChallengingPerson): Promise<void> => {
  await db`insert into challenges_started (id, user_id, person_hash) values (${newId()}, ${userId}, ${personHash})`
}

/** Deletes challenges from before the period of the rule, which `getChallengeHistory` does not count. */
export const deleteOldChallenges = async (db: Db): Promise<void> => {
  await db`delete from challenges_started where created_at <= now() - ${CHALLENGE_PERIOD}::interval`
}

/** A dispute as emails describe it to one of its sides. */
type DisputeForOwner = {
  /** As this side wrote it: it must not learn how the other one did. */
  plate: string
  province: Province
  documents_due_at: string
}

/**
 * Finds a vehicle's open dispute for its owner; undefined once it has ended, or when the vehicle is another person's. The date
 * is that of the challenge given. When this one has ended, it is the one that the vehicle's page shows (`sideInDispute`).
 */
export const findDisputeForOwner = async (db: Db, vehicleId: string, ownerId: string, disputeId: string) => {
  const [row] = await db<DisputeForOwner[]>`
    select v.plate, v.province, d.documents_due_at
    from vehicles v
    join plate_disputes d on d.incumbent_vehicle_id = v.id or d.challenger_vehicle_id = v.id
    where v.id = ${vehicleId} and v.user_id = ${ownerId}
    order by d.id = ${disputeId} desc, d.pauses desc, d.id
    limit 1`
  return row
}

/** Finds a person's vehicle, if it has its plate: neither paused nor rejected. */
export const findVehicleWithPlate = async (db: Db, vehicleId: string, ownerId: string) => {
  const [row] = await db<{ plate: string; province: Province; paused: boolean }[]>`
    select plate, province, paused from vehicles
    where id = ${vehicleId} and user_id = ${ownerId} and status in ('active', 'verified', 'approved')`
  return row
}
