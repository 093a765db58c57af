import type { Province } from '#contract/provinces.ts'
import type { Vehicle, VehicleStatus } from '#contract/vehicles.ts'
import type { Db, Fragment } from '../db/pool.ts'

/** What the list is narrowed to: a part of the plate key, a part of the owner's address, the whole of the others. */
type VehicleListFilters = {
  plate: string | null
  email: string | null
  province: Province | null
  status: VehicleStatus | null
}

export type AdminVehicleRow = Omit<
  Vehicle,
  'dispute' | 'rejected_automatically' | 'reject_reason' | 'role' | 'shared'
> & {
  user_id: string
  owner_email: string
  documents_due_at: string | null
  role: 'incumbent' | 'challenger' | null
}

/** Vehicles older than `before` that match every filter, newest first. */
export const listNewestVehicles = (
  db: Db,
  before: string,
  { plate, email, province, status }: VehicleListFilters,
  limit: number,
) =>
  selectVehicles(
    db,
    db`
      where v.id < ${before}
        and (${plate}::text is null or plate_fold(v.plate_key) like search_pattern(plate_fold(${plate})))
        and (${email}::text is null or u.email like search_pattern(lower(${email})))
        and (${province}::text is null or v.province = ${province})
        and (${status}::text is null or v.status = ${status})
      order by v.id desc
      limit ${limit}`,
  )

export const findVehicle = async (db: Db, id: string): Promise<AdminVehicleRow | undefined> => {
  const [row] = await selectVehicles(db, db`where v.id = ${id}`)
  return row
}

/** Narrowed first, so that disputes are looked up for the vehicles of the page only. */
const selectVehicles = (db: Db, narrowed: Fragment) =>
  db<AdminVehicleRow[]>`
    select v.*, d.documents_due_at, d.role
    from (
      select v.id, v.user_id, v.plate, v.make, v.model, v.registration_year, v.province, v.status, v.paused, v.created_at,
        u.email as owner_email
      from vehicles v
      join auth.users u on u.id = v.user_id
      ${narrowed}) v
    -- an incumbent may have several challengers; the first to be due is shown
    left join lateral (
      select documents_due_at, role
      from (
        select *, 'challenger' as role from plate_disputes where challenger_vehicle_id = v.id
        union all
        select *, 'incumbent' from plate_disputes where incumbent_vehicle_id = v.id) sides
      order by documents_due_at, id
      limit 1) d on true
    order by v.id desc`

/** Counts the live vehicles of each province that has any. */
export const countLiveByProvince = (db: Db) =>
  db<{ province: Province; count: number }[]>`
    select province, count(*)::int as count from vehicles
    where is_live(status)
    group by province`
