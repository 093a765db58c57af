import { normalizeEmail } from '#contract/addresses.ts'
import type { AdminStats, AdminUser, AdminUserDetails, AdminVehicle, VehicleFilters } from '#contract/admin.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { displayPlate, isPlate, plateKey } from '#contract/plates.ts'
import { PROVINCES, type Province } from '#contract/provinces.ts'
import type { Vehicle, VehicleStatus } from '#contract/vehicles.ts'
import { MAX_UUID, readPage } from '../db/pagination.ts'
import type { Db, PendingQuery, Pool, Row } from '../db/pool.ts'

// The lists of accounts and vehicles, and their numbers (requirements §2, §6).

/**
 * Runs one statement planned for its values, not once for all (docs/decisions/admin-lists.md): how common a search term is decides
 * which index finds it. Parallel workers would take longer to start than a page takes to read.
 */
export const runCustomPlanned = <Found extends Row>(
  db: Pool,
  statement: (tx: Db) => PendingQuery<Found[]>,
): Promise<Found[]> =>
  db.begin('read only', async (tx) => {
    // both are sent at once
    const [, rows] = await Promise.all([
      tx`
        select set_config('plan_cache_mode', 'force_custom_plan', true),
          set_config('max_parallel_workers_per_gather', '0', true)`,
      statement(tx),
    ])
    return rows
  })

/** Returns whether a text has a NUL character. PostgreSQL stores none, so nothing can match it. */
const hasNulCharacter = (text: string): boolean => text.includes('\0')

/** What accounts have to have in them: in the full name as it is, or in the address in its stored form; null: nothing. */
type UserSearch = { name: string | null; email: string | null }

/** Lists accounts older than `before` that have what is searched for, newest first. */
const listNewestUsers = (db: Db, before: string, { name, email }: UserSearch, limit: number) =>
  db<AdminUser[]>`
    select id, email, user_metadata ->> 'full_name' as full_name, created_at
    from auth.users
    where id < ${before}
      and (${name}::text is null
        or email like search_pattern(lower(${email}))
        or full_name_folded like search_pattern(search_fold(${name})))
    order by id desc
    limit ${limit}`

/** The account, with the hash of its person. */
type UserDetailsRow = Omit<AdminUserDetails, 'person_id'> & { person_hash: Buffer }

export const findUserDetails = async (db: Db, id: string): Promise<UserDetailsRow | undefined> => {
  const [user] = await db<UserDetailsRow[]>`
    select id, email, person_hash, user_metadata ->> 'full_name' as full_name, created_at, email_confirmed_at, last_sign_in_at,
      is_admin, (select count(*)::int from auth.factors where user_id = u.id and verified_at is not null and removed_at is null) as factors
    from auth.users u
    where id = ${id}`
  return user
}

/**
 * Lists all accounts, newest first (requirements §2, §7 `get_users`). `search` matches a part of the address or the full
 * name, regardless of case; in names regardless of accents too.
 */
export async function listUsers(db: Pool, { search = '', ...paging }: PageParams & { search?: string | undefined }) {
  if (hasNulCharacter(search)) return { items: [], next: null }
  const searched = { name: search || null, email: normalizeEmail(search) || null }
  return readPage(paging, (before, limit) =>
    runCustomPlanned(db, (tx) => listNewestUsers(tx, before ?? MAX_UUID, searched, limit)),
  )
}

/** What the list is narrowed to: a part of the plate key, a part of the owner's address, the whole of the others. */
type VehicleListFilters = {
  plate: string | null
  email: string | null
  province: Province | null
  status: VehicleStatus | null
}

type AdminVehicleRow = Omit<Vehicle, 'dispute' | 'rejected_automatically' | 'reject_reason' | 'role' | 'shared'> & {
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
  db<AdminVehicleRow[]>`
    select v.*, d.documents_due_at, d.role
    -- narrowed first, so that disputes are looked up for the vehicles of the page only
    from (
      select v.id, v.user_id, v.plate, v.make, v.model, v.registration_year, v.province, v.status, v.paused, v.created_at,
        u.email as owner_email
      from vehicles v
      join auth.users u on u.id = v.user_id
      where v.id < ${before}
        and (${plate}::text is null or plate_fold(v.plate_key) like search_pattern(plate_fold(${plate})))
        and (${email}::text is null or u.email like search_pattern(lower(${email})))
        and (${province}::text is null or v.province = ${province})
        and (${status}::text is null or v.status = ${status})
      order by v.id desc
      limit ${limit}) v
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
const countLiveByProvince = (db: Db) =>
  db<{ province: Province; count: number }[]>`
    select province, count(*)::int as count from vehicles
    where is_live(status)
    group by province`

/** Lists the vehicles that match all filters, newest first (requirements §2). */
export async function listVehicles(db: Pool, input: VehicleFilters & PageParams) {
  const plate = plateKey(displayPlate(input.plate ?? '')) || null
  const email = normalizeEmail(input.email ?? '') || null
  // what no plate can hold is in none of them
  if ((plate && !isPlate(plate)) || (email && hasNulCharacter(email))) return { items: [], next: null }
  const filters = { plate, email, province: input.province ?? null, status: input.status ?? null }
  return readPage(
    input,
    (before, limit) => runCustomPlanned(db, (tx) => listNewestVehicles(tx, before ?? MAX_UUID, filters, limit)),
    toAdminVehicle,
  )
}

const toAdminVehicle = ({ documents_due_at, role, ...vehicle }: AdminVehicleRow): AdminVehicle => ({
  ...vehicle,
  dispute: documents_due_at === null || role === null ? null : { documents_due_at, role },
})

/** Counts the vehicles that are active or verified, in all and in each province (requirements §6). */
export async function getStats(db: Db): Promise<AdminStats> {
  const counts = new Map((await countLiveByProvince(db)).map(({ province, count }) => [province, count]))
  const by_province = Object.fromEntries(PROVINCES.map((name) => [name, counts.get(name) ?? 0]))
  return {
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    by_province: by_province as AdminStats['by_province'],
  }
}
