import { TIME_ZONE } from '#contract/product.ts'
import type { Province } from '#contract/provinces.ts'
import { BYTEA_OID, type Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

export type NewHold = {
  id: string
  account_id: string | null
  plate: string | null
  province: Province | null
  terms_encrypted: Buffer
  placed_by: string
  ends_on: string
}

export type HoldRow = NewHold & {
  created_at: string
  lifted_at: string | null
  lift_reason_encrypted: Buffer | null
  in_force: boolean
  account_exists: boolean
  kept: number
}

export const insertHold = async (tx: Db, hold: NewHold): Promise<void> => {
  await tx`insert into holds ${tx(hold)}`
}

const selectHolds = (db: Db) => db`
  select h.id, h.account_id, h.plate, h.province, h.terms_encrypted, h.placed_by, h.created_at, h.ends_on::text as ends_on,
    h.lifted_at, h.lift_reason_encrypted, is_in_force(h) as in_force,
    exists (select from auth.users u where u.id = h.account_id) as account_exists,
    (select count(*)::int from held_records r where r.hold_id = h.id) as kept
  from holds h`

/** Lists the holds in force or those that ended, before an id, the latest first. */
export const findHolds = (db: Db, inForce: boolean, before: string, limit: number) =>
  db<HoldRow[]>`
    ${selectHolds(db)} where is_in_force(h) = ${inForce} and h.id < ${before} order by h.id desc limit ${limit}`

export const findHold = async (db: Db, id: string): Promise<HoldRow | undefined> => {
  const [row] = await db<HoldRow[]>`${selectHolds(db)} where h.id = ${id}`
  return row
}

/** Locks a hold until the transaction ends. */
export const lockHold = async (tx: Db, id: string): Promise<HoldRow | undefined> => {
  await tx`select from holds where id = ${id} for update`
  return findHold(tx, id)
}

export const setLastDay = async (tx: Db, id: string, endsOn: string): Promise<void> => {
  await tx`update holds set ends_on = ${endsOn}::date where id = ${id}`
}

export const setHoldLifted = async (tx: Db, id: string, reason: Buffer): Promise<void> => {
  await tx`update holds set lifted_at = now(), lift_reason_encrypted = ${reason} where id = ${id}`
}

/** Returns today in Toronto, where a hold's last day ends. */
export const findToday = async (db: Db): Promise<string> => {
  const [row] = await db<{ today: string }[]>`select (now() at time zone ${TIME_ZONE}::text)::date::text as today`
  return row!.today
}

export const findAccountByEmail = async (db: Db, email: string) => {
  const [account] = await db<{ id: string; person_hash: Buffer | null }[]>`
    select id, person_hash from auth.users where email = ${email}`
  return account
}

/** Covers an account, its vehicles and its person, under which reports and decisions are kept. */
export const coverAccount = async (tx: Db, holdId: string, accountId: string): Promise<void> => {
  await tx`
    insert into held_ids (hold_id, id)
    select ${holdId}::uuid, id from (
      select ${accountId}::uuid as id
      union select id from vehicles where user_id = ${accountId}
      union select s.id from subjects s join auth.users u on u.person_hash = s.person_hash where u.id = ${accountId}
    ) covered
    on conflict do nothing`
}

/** Covers the registrations of a plate. */
export const coverPlate = async (tx: Db, holdId: string, key: string, province: Province): Promise<void> => {
  await tx`
    insert into held_ids (hold_id, id)
    select ${holdId}::uuid, id from vehicles where plate_key = ${key} and province = ${province}
    on conflict do nothing`
}

/** Lists the messages about collisions that a hold covers, whose cards are found by a hash. */
export const listCollisionIds = async (db: Db, holdId: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    select m.id from held_ids k join messages m on m.vehicle_id = k.id
    where k.hold_id = ${holdId} and m.collision_encrypted is not null
    union
    select m.id from held_ids k join messages m on m.sender_id = k.id
    where k.hold_id = ${holdId} and m.collision_encrypted is not null`
  return rows.map(({ id }) => id)
}

/** Covers the cards of messages. */
export const coverCards = async (tx: Db, holdId: string, messageHashes: Buffer[]): Promise<void> => {
  await tx`
    insert into held_ids (hold_id, id)
    select ${holdId}::uuid, id from collision_cards where message_hash = any(${tx.array(messageHashes, BYTEA_OID)}::bytea[])
    on conflict do nothing`
}

// --- what is kept

export type WaitingRecord = { id: string; table_name: string; row: Record<string, unknown> }

/** Takes some copies that are not encrypted yet. */
export const takeWaitingRecords = (tx: Db, limit: number) =>
  tx<WaitingRecord[]>`
    select id, table_name, row from held_records where row is not null order by kept_at limit ${limit} for update skip locked`

export const setEncrypted = async (tx: Db, id: string, encrypted: Buffer): Promise<void> => {
  await tx`update held_records set row = null, row_encrypted = ${encrypted} where id = ${id}`
}

/** Deletes some of what holds kept that have ended. Returns true when there may be more. */
export const deleteEndedRecords = async (db: Db, limit: number): Promise<boolean> => {
  const { count } = await db`
    delete from held_records where id = any(array(
      select r.id from held_records r join holds h on h.id = r.hold_id where not is_in_force(h) limit ${limit}))`
  if (count === limit) return true
  await db`delete from held_ids k using holds h where h.id = k.hold_id and not is_in_force(h)`
  return false
}

/** Deletes holds that ended long ago. */
export const deleteOldHolds = async (db: Db): Promise<void> => {
  await db`
    delete from holds h
    where not is_in_force(h) and least(lifted_at, (ends_on + 1)::timestamptz) < now() - ${RETENTION.holds.period}::interval`
}

export type HeldRecord = {
  id: string
  table_name: string
  why: string
  kept_at: string
  file_name: string | null
  row: Record<string, unknown> | null
  row_encrypted: Buffer | null
}

/** Lists what a hold has kept after an id, in the order of the ids. */
export const listRecords = (db: Db, holdId: string, after: string, limit: number) =>
  db<HeldRecord[]>`
    select id, table_name, why, kept_at, file_name, row, row_encrypted
    from held_records where hold_id = ${holdId} and id > ${after} order by id limit ${limit}`

// --- what is still there

/** Finds the tables that a hold covers, with their columns of ids, as the triggers of 0057_holds.sql name them. */
export const findTablesHeld = (db: Db) =>
  db<{ table: string; columns: string[] }[]>`
    select format('%s', t.tgrelid::regclass) as table,
      array(
        select distinct convert_from(decode(a, 'escape'), 'UTF8')
        from unnest(string_to_array(encode(t.tgargs, 'escape'), '\\000')) a where a <> '') as columns
    from pg_trigger t where t.tgfoid = 'keep_held'::regproc and t.tgname = 'keep_held'
    order by 1`

export const listHeldIds = async (db: Db, holdId: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`select id from held_ids where hold_id = ${holdId}`
  return rows.map(({ id }) => id)
}

/** Lists the rows of a table one of whose columns has one of these ids, without credentials. */
export const findLiveRows = async (
  db: Db,
  table: string,
  columns: string[],
  ids: string[],
): Promise<Record<string, unknown>[]> => {
  const found = new Map<string, Record<string, unknown>>()
  for (const column of columns) {
    const rows = await db<{ row: Record<string, unknown> }[]>`
      select to_jsonb(t) - array['encrypted_password', 'full_name_folded', 'lease_token'] as row
      from ${db(table)} t where ${db(column)} = any(${ids}::uuid[])`
    for (const { row } of rows) found.set(JSON.stringify(row), row)
  }
  return [...found.values()]
}
