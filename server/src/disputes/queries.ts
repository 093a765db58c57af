import type { Province } from '#contract/provinces.ts'
import type { VehicleStatus } from '#contract/vehicles.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'

/** What an incumbent had before the dispute, and gets back when the challenge fails. */
export type IncumbentStatus = Extract<VehicleStatus, 'active' | 'verified' | 'approved'>

/** One open challenge. */
export type Dispute = {
  id: string
  incumbent_vehicle_id: string
  incumbent_status: IncumbentStatus
  challenger_vehicle_id: string
}

export type NewDispute = Omit<Dispute, 'id'> & {
  province: Province
  plate: string
  documents_due_at: Date
}

export const insertDispute = async (db: Db, dispute: NewDispute, plateKey: string): Promise<string> => {
  const id = newId()
  await db`
    insert into plate_disputes (id, province, plate, plate_key, incumbent_vehicle_id, incumbent_status,
      challenger_vehicle_id, documents_due_at)
    values (${id}, ${dispute.province}, ${dispute.plate}, ${plateKey}, ${dispute.incumbent_vehicle_id},
      ${dispute.incumbent_status}, ${dispute.challenger_vehicle_id}, ${dispute.documents_due_at})`
  return id
}

/** The open challenges to the holders of a plate, oldest first. */
export const disputesOnPlate = (db: Db, province: Province, plateKey: string) =>
  db<Dispute[]>`
    select id, incumbent_vehicle_id, incumbent_status, challenger_vehicle_id
    from plate_disputes
    where province = ${province} and plate_key = ${plateKey}
    order by id`

/** The open challenges of every plate in whose dispute one of these vehicles is a side, oldest first. */
export const disputesAround = (db: Db, vehicleIds: string[]) =>
  db<Dispute[]>`
    select id, incumbent_vehicle_id, incumbent_status, challenger_vehicle_id
    from plate_disputes
    where incumbent_vehicle_id in (
      select incumbent_vehicle_id from plate_disputes
      where incumbent_vehicle_id = any(${vehicleIds}::uuid[]) or challenger_vehicle_id = any(${vehicleIds}::uuid[]))
    order by id`

export const deleteDisputes = async (db: Db, ids: string[]): Promise<void> => {
  await db`delete from plate_disputes where id = any(${ids}::uuid[])`
}

/** Another vehicle becomes the one that these challenges are against. */
export const repointDisputes = async (db: Db, ids: string[], incumbentId: string, status: IncumbentStatus) => {
  await db`
    update plate_disputes set incumbent_vehicle_id = ${incumbentId}, incumbent_status = ${status}
    where id = any(${ids}::uuid[])`
}

/** What the rule about challenges needs to know of a person (design decision 6). */
export type ChallengeHistory = {
  open: number
  /** Within the period of the rule, open and ended ones. */
  recent: number
  /** Seconds until the oldest of the recent ones leaves the period; null without any. */
  oldest_ends_in_s: number | null
}

export const challengeHistory = async (db: Db, userId: string, periodDays: number): Promise<ChallengeHistory> => {
  const [row] = await db<ChallengeHistory[]>`
    select
      (select count(*)::int from plate_disputes d join vehicles v on v.id = d.challenger_vehicle_id
        where v.user_id = ${userId}) as open,
      count(*)::int as recent,
      extract(epoch from min(created_at) + make_interval(days => ${periodDays}) - now())::float8 as oldest_ends_in_s
    from challenges_started
    where user_id = ${userId} and created_at > now() - make_interval(days => ${periodDays})`
  return row! // an aggregate without groups has one row
}

/** Remembers a challenge beyond its end. */
export const insertChallengeStarted = async (db: Db, userId: string): Promise<void> => {
  await db`insert into challenges_started (id, user_id) values (${newId()}, ${userId})`
}

/** What the mails about a dispute say to one of its sides. */
export type DisputeForOwner = {
  /** As this side wrote it: the other one's way of writing it is not theirs to know. */
  plate: string
  province: Province
  documents_due_at: string
}

/** The open dispute a vehicle is a side of, for its owner; undefined once it has ended or the vehicle is another's. */
export const disputeForOwner = async (db: Db, vehicleId: string, ownerId: string) => {
  const [row] = await db<DisputeForOwner[]>`
    select v.plate, v.province, min(d.documents_due_at) as documents_due_at
    from vehicles v
    join plate_disputes d on d.incumbent_vehicle_id = v.id or d.challenger_vehicle_id = v.id
    where v.id = ${vehicleId} and v.user_id = ${ownerId}
    group by v.id`
  return row
}
