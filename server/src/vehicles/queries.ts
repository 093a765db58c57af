import type { Province } from '#contract/provinces.ts'
import type { NewVehicle, Vehicle, VehicleStatus } from '#contract/vehicles.ts'
import { newId } from '../db/ids.ts'
import { LAST_ID } from '../db/keyset.ts'
import type { Db } from '../db/pool.ts'

export type VehicleRow = Omit<Vehicle, 'dispute'> & {
  documents_due_at: string | null
  role: 'incumbent' | 'challenger' | null
}

/** Own vehicles, newest first, behind the vehicle with the id `before` (null: from the start). */
export const ownVehicles = (db: Db, ownerId: string, before: string | null, limit: number) =>
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
    where v.user_id = ${ownerId} and v.id < coalesce(${before}, ${LAST_ID})::uuid
    order by v.id desc
    limit ${limit}`

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

export const setVehicleStatus = async (db: Db, vehicleIds: string[], status: VehicleStatus): Promise<void> => {
  await db`update vehicles set status = ${status} where id = any(${vehicleIds}::uuid[])`
}

/** A vehicle that has a plate, or waits for it. */
export type Holder = { id: string; user_id: string; status: Exclude<VehicleStatus, 'rejected'> }

/** Everybody who has a plate or waits for it: live ones first, then the oldest. */
export const holdersOfPlate = (db: Db, province: Province, plateKey: string) =>
  db<Holder[]>`
    select id, user_id, status from vehicles
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
 * second see what the first did (spec §4). Held until the transaction ends.
 */
export const lockPlate = async (db: Db, province: Province, plateKey: string): Promise<void> => {
  await db`select pg_advisory_xact_lock(hashtextextended(${`${province}/${plateKey}`}, 0))`
}

/** Locks the plates of several vehicles, always in one order, so that two who lock many cannot wait for each other. */
export const lockPlatesOf = async (db: Db, vehicleIds: string[]): Promise<void> => {
  await db`
    select pg_advisory_xact_lock(plates.lock) from (
      select distinct hashtextextended(province || '/' || plate_key, 0) as lock
      from vehicles where id = any(${vehicleIds}::uuid[])
      order by lock offset 0) plates`
}
