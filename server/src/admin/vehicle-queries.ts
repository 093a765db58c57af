import type { TransactionSql } from 'postgres'
import type { Province } from '#contract/provinces.ts'
import type { Vehicle, VehicleStatus } from '#contract/vehicles.ts'
import type { Db } from '../db/pool.ts'
import { SAMPLE_ROWS } from './list-strategy.ts'

/** What the list is narrowed to; all of it must hold. `plate` is a piece of a plate key. */
export type VehicleQuery = {
  before: string
  plate: string | undefined
  email: string | undefined
  province: Province | undefined
  status: VehicleStatus | undefined
}

const matchesFilters = (tx: TransactionSql, { before, province, status }: VehicleQuery) => tx`
  id < ${before}
  ${province ? tx`and province = ${province}` : tx``}
  ${status ? tx`and status = ${status}` : tx``}`

const matchesPlate = (tx: TransactionSql, { plate }: VehicleQuery) =>
  plate ? tx`strpos(plate_key, ${plate}) > 0` : tx`true`

/** Reads the address row by row: joined, it might be planned as a walk over all accounts. */
const matchesOwner = (tx: TransactionSql, { email }: VehicleQuery) =>
  email ? tx`strpos(lower((select email from auth.users u where u.id = user_id)), lower(${email})) > 0` : tx`true`

/** How common what is looked for is: among the newest vehicles of the province and status, and among the newest accounts. */
export type VehicleSample = { vehicles: number; plate_hits: number; users: number; email_hits: number }

/** The owners of the vehicles are not looked at: they lie far apart, and reading them would cost more the more there are. */
export const sampleVehicles = async (tx: TransactionSql, query: VehicleQuery) => {
  const [sample] = await tx<VehicleSample[]>`
    select *
    from (
      select count(*)::int as vehicles, count(*) filter (where ${matchesPlate(tx, query)})::int as plate_hits
      from (
        select plate_key from vehicles
        where ${matchesFilters(tx, query)}
        order by id desc
        limit ${SAMPLE_ROWS}) newest) v,
    (
      select count(*)::int as users,
        count(*) filter (where strpos(lower(email), lower(${query.email ?? ''})) > 0)::int as email_hits
      from (
        select email from auth.users
        order by id desc
        limit ${query.email ? SAMPLE_ROWS : 0}) newest) u`
  return sample! // aggregates without groups have one row
}

/** Looks through so many of the newest vehicles of the province and status, until `count` fit. */
export const scanVehicles = async (tx: TransactionSql, query: VehicleQuery, rows: number, count: number) => {
  const found = await tx<{ id: string }[]>`
    select id from (
      select id, user_id, plate_key from vehicles
      where ${matchesFilters(tx, query)}
      order by id desc
      limit ${rows}) newest
    where ${matchesPlate(tx, query)} and ${matchesOwner(tx, query)}
    order by id desc
    limit ${count}`
  return found.map(({ id }) => id)
}

/** Finds vehicles by a piece of their plate key, then narrows those. */
export const searchByPlateIndex = async (tx: TransactionSql, query: VehicleQuery, plate: string, count: number) => {
  const rows = await tx<{ id: string }[]>`
    with found as materialized (
      select id, user_id, province, status from vehicles
      where search_parts(plate_key) @> search_keys(${plate}) and strpos(plate_key, ${plate}) > 0
    )
    select id from found
    where ${matchesFilters(tx, query)} and ${matchesOwner(tx, query)}
    order by id desc
    limit ${count}`
  return rows.map(({ id }) => id)
}

/** Finds owners by a piece of their address, then narrows their vehicles. */
export const searchByOwnerIndex = async (tx: TransactionSql, query: VehicleQuery, email: string, count: number) => {
  const rows = await tx<{ id: string }[]>`
    with owners as materialized (
      select id from auth.users
      where search_parts(lower(email)) @> search_keys(lower(${email})) and strpos(lower(email), lower(${email})) > 0
    )
    select v.id from owners
    cross join lateral (
      select id from vehicles
      where user_id = owners.id and ${matchesFilters(tx, query)} and ${matchesPlate(tx, query)}
      order by id desc
      limit ${count}) v
    order by v.id desc
    limit ${count}`
  return rows.map(({ id }) => id)
}

export type AdminVehicleRow = Omit<Vehicle, 'dispute'> & {
  owner_email: string
  documents_due_at: string | null
  documents_received_at: string | null
  role: 'incumbent' | 'challenger' | null
}

/** Vehicles with their owners' addresses, newest first; those that are gone are left out. */
export const findVehiclesByIds = (db: Db, ids: string[]) =>
  db<AdminVehicleRow[]>`
    select v.id, v.plate, v.make, v.model, v.registration_year, v.province, v.status, v.created_at,
      u.email as owner_email, d.documents_due_at, d.documents_received_at, d.role
    from vehicles v
    join auth.users u on u.id = v.user_id
    -- an incumbent may have several challengers; the first to be due is shown, as to its owner
    left join lateral (
      select documents_due_at, documents_received_at,
        case when challenger_vehicle_id = v.id then 'challenger' else 'incumbent' end as role
      from plate_disputes
      where challenger_vehicle_id = v.id or incumbent_vehicle_id = v.id
      order by documents_due_at, id
      limit 1) d on true
    where v.id = any(${ids}::uuid[])
    order by v.id desc`

/** Live vehicles of each province that has any. */
export const countLiveByProvince = (db: Db) =>
  db<{ province: Province; count: number }[]>`
    select province, count(*)::int as count from vehicles
    where status in ('active', 'verified')
    group by province`
