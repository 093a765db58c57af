import type { VehiclePerson } from '#contract/vehicle-people.ts'
import { newId } from '../db/ids.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

/** What somebody is to a vehicle. `driver_id` is null for its owner. */
type Membership = { role: 'owner'; driver_id: null } | { role: 'driver'; driver_id: string }

/** Finds what a user is to a vehicle; undefined when they have nothing to do with it, or there is no such vehicle. */
export const findMembership = async (db: Db, vehicleId: string, userId: string): Promise<Membership | undefined> => {
  const [row] = await db<Membership[]>`
    select case when v.user_id = ${userId} then 'owner' else 'driver' end as role, p.id as driver_id
    from vehicles v
    left join vehicle_drivers p on p.vehicle_id = v.id and p.user_id = ${userId}
    where v.id = ${vehicleId} and (v.user_id = ${userId} or p.id is not null)`
  return row
}

type PersonRow = Omit<VehiclePerson, 'is_me'> & { user_id: string }

/** Lists everybody of a vehicle, the owner first. The owner goes by the id of the vehicle. */
export const listPeople = (db: Db, vehicleId: string) =>
  db<PersonRow[]>`
    select v.id, 'owner' as role, v.user_id, u.user_metadata ->> 'full_name' as name, u.email, v.created_at as joined_at
    from vehicles v join auth.users u on u.id = v.user_id
    where v.id = ${vehicleId}
    union all
    select p.id, 'driver', p.user_id, u.user_metadata ->> 'full_name', u.email, p.joined_at
    from vehicle_drivers p join auth.users u on u.id = p.user_id
    where p.vehicle_id = ${vehicleId}
    order by role desc, joined_at, id`

/** Locks a vehicle until the transaction ends: nobody joins it meanwhile. */
export const lockVehicle = async (tx: Db, vehicleId: string): Promise<void> => {
  await tx`select from vehicles where id = ${vehicleId} for no key update`
}

/** Deletes a driver with all that hangs on it (decision vehicle-people). Returns whose account it was; undefined when there is none. */
export const deleteDriver = async (db: Db, vehicleId: string, driverId: string): Promise<string | undefined> => {
  const [row] = await db<{ user_id: string }[]>`
    delete from vehicle_drivers where id = ${driverId} and vehicle_id = ${vehicleId} returning user_id`
  return row?.user_id
}

/** Adds a driver, for messages from now on. Returns the driver's id. */
export const insertDriver = async (tx: Db, vehicleId: string, userId: string): Promise<string> => {
  const id = newId()
  await tx`insert into vehicle_drivers (id, vehicle_id, user_id) values (${id}, ${vehicleId}, ${userId})`
  return id
}

/** Finds the vehicle that somebody joined, for one of its other people; null when either is none of them any more. */
export const findJoined = async (db: Db, driverId: string, readerId: string) => {
  const [row] = await db<{ vehicle_id: string; plate: string }[]>`
    select v.id as vehicle_id, v.plate
    from vehicle_drivers joined join vehicles v on v.id = joined.vehicle_id
    where joined.id = ${driverId} and (v.user_id = ${readerId} or exists (
      select from vehicle_drivers p where p.vehicle_id = v.id and p.user_id = ${readerId}))`
  return row ?? null
}

/**
 * Lists the accounts of a vehicle's drivers, and locks the drivers until the transaction ends: one who is just leaving is waited
 * for, and left out.
 */
export const lockDrivers = async (tx: Db, vehicleId: string): Promise<string[]> => {
  const rows = await tx<{ user_id: string }[]>`
    select user_id from vehicle_drivers where vehicle_id = ${vehicleId} order by id for key share`
  return rows.map(({ user_id }) => user_id)
}

type DrivenVehicle = { id: string; plate: string; joined_at: string }

/** Lists which vehicles a person drives, latest first, for the export. */
export const listDrivenVehicles = (db: Db, userId: string, before: string | null, limit: number) =>
  db<DrivenVehicle[]>`
    select p.id, v.plate, p.joined_at
    from vehicle_drivers p join vehicles v on v.id = p.vehicle_id
    where p.user_id = ${userId} and p.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by p.id desc
    limit ${limit}`
