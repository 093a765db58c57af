import type { NewVehicle } from '#contract/new-vehicle.ts'
import { DEFAULT_PREFERENCES } from '#contract/preferences.ts'
import type { Locale } from '#contract/product.ts'
import type { Province } from '#contract/provinces.ts'
import type { Vehicle, VehicleStatus } from '#contract/vehicles.ts'
import { newId } from '../db/ids.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

type EncryptedReason = { reject_reason_encrypted: Buffer | null }
export type VehicleRow = Omit<Vehicle, 'dispute' | 'reject_reason'> &
  EncryptedReason & {
    documents_due_at: string | null
    side: 'incumbent' | 'challenger' | null
  }

/**
 * Selects whether the due date alone ended a vehicle's registration: the audit log has who decided. It is said for as long as
 * that is kept.
 */
const rejectedAutomatically = (db: Db) => db`
  v.status = 'rejected' and coalesce((
    select action = 'dispute_overdue' from audit_log
    where subject_id = v.id and action in ('dispute_overdue', 'vehicle_rejected')
    order by id desc
    limit 1
  ), false)`

const isShared = (db: Db) => db`exists (select from vehicle_drivers p where p.vehicle_id = v.id)`

/** Selects a vehicle as its owner sees it, with its side in an open dispute. */
const ownColumns = (db: Db) => db`
  v.id, v.plate, v.make, v.model, v.registration_year, v.province, v.status, v.paused, v.created_at, d.documents_due_at,
  d.role as side, ${rejectedAutomatically(db)} as rejected_automatically, v.reject_reason_encrypted, 'owner' as role,
  ${isShared(db)} as shared`

/**
 * Finds the side of a vehicle in a dispute. An incumbent may have several challengers: its date is that of the one its owner was
 * told of last, which is the first that pauses the plate, or the first of all while none does.
 */
const sideInDispute = (db: Db) => db`
  left join lateral (
    select documents_due_at, case when challenger_vehicle_id = v.id then 'challenger' else 'incumbent' end as role
    from plate_disputes
    where challenger_vehicle_id = v.id or incumbent_vehicle_id = v.id
    order by pauses desc, id
    limit 1) d on true`

/** Lists a person's own vehicles, newest first, after the vehicle with the id `before` (null: from the start). */
export const listOwnVehicles = (db: Db, ownerId: string, before: string | null, limit: number) =>
  db<VehicleRow[]>`
    select ${ownColumns(db)}
    from vehicles v
    ${sideInDispute(db)}
    where v.user_id = ${ownerId} and v.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by v.id desc
    limit ${limit}`

/**
 * Lists the vehicles a person owns or drives, as `listOwnVehicles`. Of a dispute, and of how a registration ended, drivers read
 * nothing.
 */
export const listVehiclesOf = (db: Db, userId: string, before: string | null, limit: number) =>
  db<VehicleRow[]>`
    select * from (
      (${listOwnVehicles(db, userId, before, limit)})
      union all
      select v.id, v.plate, v.make, v.model, v.registration_year, v.province, v.status, v.paused, v.created_at, null, null,
        false, null, 'driver', true
      from vehicle_drivers p
      join vehicles v on v.id = p.vehicle_id
      where p.user_id = ${userId} and v.id < coalesce(${before}, ${MAX_UUID})::uuid
    ) v
    order by id desc
    limit ${limit}`

/** Lists a person's vehicles that are a side of an open dispute, newest first. */
export const findDisputedVehicles = (db: Db, ownerId: string) =>
  db<VehicleRow[]>`
    select ${ownColumns(db)}
    from vehicles v
    ${sideInDispute(db)}
    where v.user_id = ${ownerId} and d.role is not null
    order by v.id desc`

/** Stores a vehicle and returns it as its owner sees it. */
export const insertVehicle = async (db: Db, ownerId: string, vehicle: NewVehicle, status: VehicleStatus) => {
  const [row] = await db<Omit<Vehicle, 'dispute'>[]>`
    insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
    values (${newId()}, ${ownerId}, ${vehicle.plate}, ${vehicle.make}, ${vehicle.model},
      ${vehicle.registration_year}, ${vehicle.province}, ${status})
    returning id, plate, make, model, registration_year, province, status, paused, created_at,
      false as rejected_automatically, null as reject_reason, 'owner' as role, false as shared`
  return row! // an insert without "on conflict" returns its row or throws
}

/** Pauses a person's own vehicle, or ends its pause. Undefined when there is no such vehicle or it is another person's. */
export const setVehiclePaused = async (
  db: Db,
  vehicleId: string,
  ownerId: string,
  paused: boolean,
): Promise<VehicleRow | undefined> => {
  const [row] = await db<VehicleRow[]>`
    with changed as (
      update vehicles set paused = ${paused} where id = ${vehicleId} and user_id = ${ownerId}
      returning *
    )
    select ${ownColumns(db)}
    from changed v
    ${sideInDispute(db)}`
  return row
}

/**
 * Locks the messages to vehicles that are to be deleted, and the emails about them, which go with them, in the order in which a
 * worker locks those of one email. A reply locks its message first and then the counter of the sender's notifications; deleting
 * vehicles and notifying people must lock them in the same order.
 */
export const lockMessagesWithMails = async (db: Db, vehicleIds: string[]): Promise<void> => {
  await db`
    select count(*) from (
      select 1 from messages where vehicle_id = any(${vehicleIds}::uuid[]) order by id for no key update) held`
  await db`
    select count(*) from (
      select 1 from outbox
      where kind = 'message' and ref_id in (select id from messages where vehicle_id = any(${vehicleIds}::uuid[]))
      order by id
      for update) held`
}

/** Finds a person's own vehicle; undefined when there is no such vehicle or it is another person's. */
export const findOwnVehicle = async (db: Db, vehicleId: string | undefined, ownerId: string) => {
  const [row] = await db<(Pick<Vehicle, 'id' | 'plate' | 'province' | 'status' | 'paused'> & EncryptedReason)[]>`
    select id, plate, province, status, paused, reject_reason_encrypted from vehicles
    where id = ${vehicleId ?? null} and user_id = ${ownerId}`
  return row
}

/** Lists the vehicles with a plate of the account with an address, in one province or in all (null). */
export const listVehiclesOfAddress = (db: Db, email: string, plateKey: string, province: string | null) =>
  db<Pick<Vehicle, 'id' | 'province'>[]>`
    select v.id, v.province from vehicles v join auth.users u on u.id = v.user_id
    where u.email = ${email} and v.plate_key = ${plateKey} and (${province}::text is null or v.province = ${province})
    order by v.id`

/** Sets the status of vehicles, with the encrypted reason of a rejection in place of an earlier one. */
export const setVehicleStatus = async (
  db: Db,
  vehicleIds: string[],
  status: VehicleStatus,
  rejectReason: Buffer | null = null,
): Promise<void> => {
  await db`
    update vehicles set status = ${status}, reject_reason_encrypted = ${rejectReason} where id = any(${vehicleIds}::uuid[])`
}

/** A vehicle as decisions about it need it. */
export type VehicleRecord = Pick<Vehicle, 'id' | 'plate' | 'province' | 'status'> & {
  user_id: string
  plate_key: string
}

/**
 * Locks a vehicle's plate (see `lockPlate`) and then reads the vehicle, so that nothing about it or the dispute of its
 * plate changes until the transaction ends. Undefined when there is no such vehicle, or none any more.
 */
export const lockVehicle = async (db: Db, vehicleId: string): Promise<VehicleRecord | undefined> => {
  await lockPlates(db, [vehicleId])
  const [row] = await db<VehicleRecord[]>`
    select id, user_id, plate, plate_key, province, status from vehicles where id = ${vehicleId}`
  return row
}

/** Returns the owner of a vehicle that the caller knows to exist. */
export const getOwnerId = async (db: Db, vehicleId: string): Promise<string> => {
  const [row] = await db<{ user_id: string }[]>`select user_id from vehicles where id = ${vehicleId}`
  return row!.user_id
}

/** Returns the language of emails to the vehicle's owner. */
export const getOwnerLocale = async (db: Db, vehicleId: string): Promise<Locale> => {
  const [row] = await db<{ locale: Locale }[]>`
    select p.locale from vehicles v join preferences p on p.user_id = v.user_id where v.id = ${vehicleId}`
  return row?.locale ?? DEFAULT_PREFERENCES.locale
}

/** A vehicle that has its plate, or waits for it. */
export type PlateVehicle = Omit<VehicleRecord, 'status'> & {
  status: Exclude<VehicleStatus, 'rejected'>
  /** The seconds since it survived a challenge (decision plate-disputes); null: never. */
  survived_ago_s: number | null
}

/** Finds the vehicles that have a plate or wait for it: live ones first, then the oldest. */
export const findVehiclesByPlate = (db: Db, province: Province, plateKey: string) =>
  db<PlateVehicle[]>`
    select id, user_id, plate, plate_key, province, status,
      extract(epoch from now() - challenge_survived_at)::float8 as survived_ago_s
    from vehicles
    where province = ${province} and plate_key = ${plateKey} and status <> 'rejected'
    order by is_live(status) desc, id`

/** Records that a vehicle kept its plate against a challenge. */
export const setChallengeSurvived = async (db: Db, vehicleId: string): Promise<void> => {
  await db`update vehicles set challenge_survived_at = now() where id = ${vehicleId}`
}

/** Counts the vehicles of a person towards the maximum; rejected ones do not count. */
export const countRegisteredVehicles = async (db: Db, ownerId: string): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from vehicles where user_id = ${ownerId} and status <> 'rejected'`
  return row!.count // an aggregate without groups has one row
}

/**
 * Locks an account and the person it belongs to, so that the registrations of all their accounts run one after another and
 * each sees how many vehicles and challenges there are. Call it before a plate is locked. Does not block rows that refer
 * to the account. Returns false when it is gone.
 */
export const lockOwner = async (db: Db, ownerId: string, personHash: Buffer): Promise<boolean> => {
  const rows = await db`select from auth.users where id = ${ownerId} for no key update`
  await db`select pg_advisory_xact_lock(hashtextextended(${`register ${personHash.toString('base64')}`}, 0))`
  return rows.length === 1
}

/**
 * Locks a plate until the transaction ends. Two people may register it at the same moment, and sides may withdraw from
 * its dispute meanwhile; the lock makes the second see what the first did (requirements §4).
 */
export const lockPlate = async (db: Db, province: Province, plateKey: string): Promise<void> => {
  await db`select pg_advisory_xact_lock(hashtextextended(${`${province}/${plateKey}`}, 0))`
}

/**
 * Locks the plates of several vehicles, always in the same order, so that two who lock many never wait for each other.
 */
export const lockPlates = async (db: Db, vehicleIds: string[]): Promise<void> => {
  await db`
    select pg_advisory_xact_lock(plates.lock) from (
      select distinct hashtextextended(province || '/' || plate_key, 0) as lock
      from vehicles where id = any(${vehicleIds}::uuid[])
      order by lock offset 0) plates`
}

/** Lists the ids of all vehicles of a person, rejected ones too. */
export const listVehicleIds = async (db: Db, ownerId: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`select id from vehicles where user_id = ${ownerId} order by id`
  return rows.map(({ id }) => id)
}

/** Deletes vehicles; the messages they received stay with their senders. Their disputes must have ended. Returns how many there were. */
export const deleteVehicles = async (db: Db, vehicleIds: string[]): Promise<number> => {
  await lockMessagesWithMails(db, vehicleIds)
  const { count } = await db`delete from vehicles where id = any(${vehicleIds}::uuid[])`
  return count
}
