import type { NewVehicle } from '#contract/new-vehicle.ts'
import { DEFAULT_PREFERENCES } from '#contract/preferences.ts'
import type { Locale } from '#contract/product.ts'
import type { Province } from '#contract/provinces.ts'
import type { Vehicle, VehicleStatus } from '#contract/vehicles.ts'
import { newId } from '../db/ids.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

export type VehicleRow = Omit<Vehicle, 'dispute'> & {
  documents_due_at: string | null
  role: 'incumbent' | 'challenger' | null
}

/** Own vehicles, newest first, behind the vehicle with the id `before` (null: from the start). */
export const listOwnVehicles = (db: Db, ownerId: string, before: string | null, limit: number) =>
  db<VehicleRow[]>`
    select v.id, v.plate, v.make, v.model, v.registration_year, v.province, v.status, v.created_at,
      d.documents_due_at, d.role
    from vehicles v
    -- an incumbent may have several challengers; the first date is the one it was told
    left join lateral (
      select min(documents_due_at) as documents_due_at,
        min(case when challenger_vehicle_id = v.id then 'challenger' else 'incumbent' end) as role
      from plate_disputes
      where challenger_vehicle_id = v.id or incumbent_vehicle_id = v.id) d on true
    where v.user_id = ${ownerId} and v.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by v.id desc
    limit ${limit}`

/** Own vehicles that are a side of an open dispute, newest first. */
export const findDisputedVehicles = (db: Db, ownerId: string) =>
  db<VehicleRow[]>`
    select v.id, v.plate, v.make, v.model, v.registration_year, v.province, v.status, v.created_at,
      min(d.documents_due_at) as documents_due_at,
      min(case when d.challenger_vehicle_id = v.id then 'challenger' else 'incumbent' end) as role
    from vehicles v
    join plate_disputes d on v.id in (d.challenger_vehicle_id, d.incumbent_vehicle_id)
    where v.user_id = ${ownerId}
    group by v.id
    order by v.id desc`

export const insertVehicle = async (db: Db, ownerId: string, vehicle: NewVehicle, status: VehicleStatus) => {
  const [row] = await db<Omit<Vehicle, 'dispute'>[]>`
    insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
    values (${newId()}, ${ownerId}, ${vehicle.plate}, ${vehicle.make}, ${vehicle.model},
      ${vehicle.registration_year}, ${vehicle.province}, ${status})
    returning id, plate, make, model, registration_year, province, status, created_at`
  return row! // an insert without "on conflict" returns its row or throws
}

/** False when there is no such vehicle or it is another person's. */
export const deleteOwnVehicle = async (db: Db, vehicleId: string, ownerId: string): Promise<boolean> => {
  const result = await db`delete from vehicles where id = ${vehicleId} and user_id = ${ownerId}`
  return result.count === 1
}

export const isOwnVehicle = async (db: Db, vehicleId: string, ownerId: string): Promise<boolean> => {
  const rows = await db`select 1 from vehicles where id = ${vehicleId} and user_id = ${ownerId}`
  return rows.length === 1
}

/** The reason of an earlier rejection goes with it. */
export const setVehicleStatus = async (db: Db, vehicleIds: string[], status: VehicleStatus): Promise<void> => {
  await db`update vehicles set status = ${status}, reject_reason_sealed = null where id = any(${vehicleIds}::uuid[])`
}

/** Rejects a vehicle, with the sealed reason. */
export const setVehicleRejected = async (db: Db, vehicleId: string, reasonSealed: Buffer): Promise<void> => {
  await db`update vehicles set status = 'rejected', reject_reason_sealed = ${reasonSealed} where id = ${vehicleId}`
}

/**
 * Holds the messages of vehicles that are to be deleted. A reply locks its message first and then the counter of the
 * sender's notifications; whoever deletes vehicles and notifies people takes them in the same order.
 */
export const lockVehicleMessages = async (db: Db, vehicleIds: string[]): Promise<void> => {
  await db`
    select count(*) from (
      select 1 from messages where vehicle_id = any(${vehicleIds}::uuid[]) order by id for update) held`
}

/** What decisions about a vehicle need to know of it. */
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

/** The owner of a vehicle that the caller knows to be there. */
export const getOwnerId = async (db: Db, vehicleId: string): Promise<string> => {
  const [row] = await db<{ user_id: string }[]>`select user_id from vehicles where id = ${vehicleId}`
  return row!.user_id
}

/** Why a vehicle of this person is rejected; undefined when it is not, or there is no such vehicle. */
export const findRejectReason = async (db: Db, vehicleId: string, ownerId: string) => {
  const [row] = await db<{ plate: string; province: Province; reject_reason_sealed: Buffer }[]>`
    select plate, province, reject_reason_sealed from vehicles
    where id = ${vehicleId} and user_id = ${ownerId} and reject_reason_sealed is not null`
  return row
}

/** A vehicle of this person, if it is verified. */
export const findVerifiedVehicle = async (db: Db, vehicleId: string, ownerId: string) => {
  const [row] = await db<{ plate: string; province: Province }[]>`
    select plate, province from vehicles where id = ${vehicleId} and user_id = ${ownerId} and status = 'verified'`
  return row
}

/** The language of mails to the vehicle's owner. */
export const getOwnerLocale = async (db: Db, vehicleId: string): Promise<Locale> => {
  const [row] = await db<{ locale: Locale }[]>`
    select p.locale from vehicles v join preferences p on p.user_id = v.user_id where v.id = ${vehicleId}`
  return row?.locale ?? DEFAULT_PREFERENCES.locale
}

/** A vehicle that has a plate, or waits for it. */
export type PlateHolder = Omit<VehicleRecord, 'status'> & { status: Exclude<VehicleStatus, 'rejected'> }

/** Everybody who has a plate or waits for it: live ones first, then the oldest. */
export const findPlateHolders = (db: Db, province: Province, plateKey: string) =>
  db<PlateHolder[]>`
    select id, user_id, plate, plate_key, province, status from vehicles
    where province = ${province} and plate_key = ${plateKey} and status <> 'rejected'
    order by status in ('active', 'verified') desc, id`

/** Vehicles that count towards how many one person can hold; rejected ones do not. */
export const countHeldVehicles = async (db: Db, ownerId: string): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from vehicles where user_id = ${ownerId} and status <> 'rejected'`
  return row!.count // an aggregate without groups has one row
}

/**
 * Lets one registration of a person follow the other, so that each sees how many vehicles and challenges there are.
 * Comes before the lock of a plate. Does not stand in the way of foreign keys to the account. False when it is gone.
 */
export const lockOwner = async (db: Db, ownerId: string): Promise<boolean> => {
  const rows = await db`select 1 from auth.users where id = ${ownerId} for no key update`
  return rows.length === 1
}

/**
 * Two people may register one plate at the same moment, and sides may leave a dispute meanwhile; the lock makes the
 * second see what the first did (requirements §4). Held until the transaction ends.
 */
export const lockPlate = async (db: Db, province: Province, plateKey: string): Promise<void> => {
  await db`select pg_advisory_xact_lock(hashtextextended(${`${province}/${plateKey}`}, 0))`
}

/** Locks the plates of several vehicles, always in one order, so that two who lock many cannot wait for each other. */
export const lockPlates = async (db: Db, vehicleIds: string[]): Promise<void> => {
  await db`
    select pg_advisory_xact_lock(plates.lock) from (
      select distinct hashtextextended(province || '/' || plate_key, 0) as lock
      from vehicles where id = any(${vehicleIds}::uuid[])
      order by lock offset 0) plates`
}

/** All vehicles of a person, rejected ones too. */
export const listVehicleIds = async (db: Db, ownerId: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`select id from vehicles where user_id = ${ownerId} order by id`
  return rows.map(({ id }) => id)
}

/** Deletes vehicles with the messages they received; their disputes must have ended. */
export const deleteVehicles = async (db: Db, vehicleIds: string[]): Promise<void> => {
  await db`delete from vehicles where id = any(${vehicleIds}::uuid[])`
}
