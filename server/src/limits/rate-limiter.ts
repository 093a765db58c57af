import type { Db } from '../db/pool.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'

/** Says whether an attempt was allowed, and if not, after how many seconds the next one can be (otherwise 0). */
export type RateLimitResult = { allowed: boolean; retryAfterS: number }

/** One count an attempt goes into. */
export type Count = {
  /** What is limited and for whom, never an address or an account in clear text (see `userLimitKey`, `personLimitKey`). */
  key: string
  /** Already scaled by LIMIT_SCALE (see `scaleLimit`). */
  max: number
  windowS: number
}

// a window slides in this many steps
const SLICES_PER_WINDOW = 60

/**
 * Counts one attempt in several counts at once: in all of them, or in none when one is full (decision rate-limits). Only allowed
 * attempts count, so a caller who keeps trying does not wait longer.
 *
 * Each window slides over 60 slices of equal length. A slice counts until its last moment has left the window: never more
 * than the limit is allowed, and at worst an attempt waits a sixtieth of the window longer. Exact between concurrent
 * requests, because the slice's row is the lock.
 *
 * @param db the pool, so that the count remains when the request fails; or a transaction where only what was done counts
 *   (an attempt in another slice that has not committed is then not seen yet)
 * @returns with the keys of the counts that were full
 */
export async function consumeAll(db: Db, counts: Count[]): Promise<RateLimitResult & { full: string[] }> {
  const keys = counts.map(({ key }) => key)
  const rows = await db<{ key: string; is_counted: boolean; is_full: boolean }[]>`
    with input as (
      select key, max, window_s, window_s / ${SLICES_PER_WINDOW}::float8 as slice_s
      from unnest(${keys}::text[], ${counts.map(({ max }) => max)}::int[], ${counts.map(({ windowS }) => windowS)}::float8[])
        as i (key, max, window_s)
    ), slice as (
      select *, to_timestamp(floor(extract(epoch from now()) / slice_s) * slice_s) as start from input
    ), others as (
      select s.*, (
        select coalesce(sum(c.count), 0)::int from rate_counters c
        where c.key = s.key and c.window_start > now() - make_interval(secs => s.window_s + s.slice_s)
          and c.window_start <> s.start
      ) as others
      from slice s
    ), current as (
      select o.*, o.others + coalesce((
        select c.count from rate_counters c where c.key = o.key and c.window_start = o.start), 0) >= o.max as is_full
      from others o
    ), counted as (
      -- in the order of the keys, as everybody does: two attempts never wait for each other
      insert into rate_counters (key, window_start, count, expires_at)
      select key, start, 1, start + make_interval(secs => window_s + slice_s)
      from current
      where not (select bool_or(is_full) from current)
      order by key
      on conflict (key, window_start) do update set count = rate_counters.count + 1
        where rate_counters.count + (select o.others from others o where o.key = excluded.key)
          < (select o.max from others o where o.key = excluded.key)
      returning key
    )
    select key, key in (select key from counted) as is_counted, is_full from current`
  const counted = rows.filter((row) => row.is_counted)
  if (counted.length === counts.length) return { allowed: true, retryAfterS: 0, full: [] }
  // another attempt used up one counter at this very moment: the others are given back
  if (counted.length > 0)
    await giveBack(
      db,
      counts.filter(({ key }) => counted.some((row) => row.key === key)),
    )
  const wasFull = rows.some((row) => row.is_full)
  const full = rows.filter((row) => (wasFull ? row.is_full : !row.is_counted)).map(({ key }) => key)
  const waits = await Promise.all(
    counts.filter(({ key }) => full.includes(key)).map((count) => retryAfterSeconds(db, count)),
  )
  return { allowed: false, retryAfterS: Math.max(1, ...waits), full }
}

/**
 * Counts one attempt against one limit (see `consumeAll`): of all attempts with this key, at most `limit` are allowed in
 * any `windowS` seconds.
 */
export const consume = (db: Db, key: string, limit: number, windowS: number): Promise<RateLimitResult> =>
  consumeAll(db, [{ key, max: limit, windowS }]).then(({ allowed, retryAfterS }) => ({ allowed, retryAfterS }))

/** Takes one attempt back from the newest slice of each count. */
export const giveBack = async (db: Db, counts: Count[]): Promise<void> => {
  await db`
    update rate_counters c set count = c.count - 1
    where c.key = any(${counts.map(({ key }) => key)}::text[]) and c.count > 0
      and c.window_start = (select max(newest.window_start) from rate_counters newest where newest.key = c.key)`
}

/** Counts one attempt against no limit, for what only has to be noticed. */
export const countUnlimited = async (db: Db, { key, windowS }: Omit<Count, 'max'>): Promise<void> => {
  await consume(db, key, INTEGER_MAX, windowS)
}

/**
 * Counts one attempt without a window, until `resetLimit` or the end of a period after the last one; the period is an interval
 * of the database. Does the same work whatever the count is. Returns how many there are now.
 */
export const countUntilReset = async (db: Db, key: string, period: string): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    insert into rate_counters (key, window_start, count, expires_at)
    values (${key}, 'epoch', 1, now() + ${period}::interval)
    on conflict (key, window_start) do update set count = rate_counters.count + 1, expires_at = excluded.expires_at
    returning count`
  return row!.count
}

/** Remembers a fact for a period, an interval of the database, under a key as of a count. */
export const remember = async (db: Db, key: string, period: string): Promise<void> => {
  await db`
    insert into rate_counters (key, window_start, count, expires_at)
    values (${key}, 'epoch', 1, now() + ${period}::interval)
    on conflict (key, window_start) do update set expires_at = excluded.expires_at`
}

/**
 * Remembers a fact as `remember` does, unless it is remembered already. Returns whether it was new. In a transaction it waits for
 * another one that remembers it at this moment, and returns true if that one fails.
 */
export const rememberOnce = async (db: Db, key: string, period: string): Promise<boolean> => {
  const { count } = await db`
    insert into rate_counters (key, window_start, count, expires_at)
    values (${key}, 'epoch', 1, now() + ${period}::interval)
    on conflict (key, window_start) do update set expires_at = excluded.expires_at
      where rate_counters.expires_at <= now()`
  return count === 1
}

/** Returns whether a fact is remembered under a key, see `remember`. */
export const isRemembered = async (db: Db, key: string): Promise<boolean> => {
  const rows = await db`select from rate_counters where key = ${key} and expires_at > now()`
  return rows.length > 0
}

/** Returns how many attempts a count holds, without adding one. */
export const readCount = async (db: Db, { key, windowS }: Omit<Count, 'max'>): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    select coalesce(sum(count), 0)::int as count from rate_counters
    where key = ${key} and window_start > now() - make_interval(secs => ${windowS + windowS / SLICES_PER_WINDOW}::float8)`
  return row!.count // an aggregate without groups has one row
}

/** Returns the seconds until enough counts have left the window of a full count for one more attempt: at least 1. */
export const retryAfterSeconds = async (db: Db, { key, max, windowS }: Count): Promise<number> => {
  const sliceS = windowS / SLICES_PER_WINDOW
  const [row] = await db<{ seconds: number }[]>`
    select extract(epoch from window_start - now())::float8 + ${windowS + sliceS}::float8 as seconds
    from (
      select window_start, sum(count) over (order by window_start desc) as since
      from rate_counters
      where key = ${key} and window_start > now() - make_interval(secs => ${windowS + sliceS}::float8)
    ) slices
    where since >= ${max}
    order by window_start desc
    limit 1`
  return Math.max(1, Math.ceil(row?.seconds ?? sliceS))
}

/** Returns the key of a count for an account. Once the account is deleted, nothing in it leads back to the user. */
export const userLimitKey = (keyring: Keyring, purpose: string, userId: string): string =>
  `${purpose}:${keyedHash(keyring, 'counter', userId).toString('base64url')}`

/** Returns the key of a count for a network (`enclosingNetworks`), whose address cannot be read from it. */
export const networkLimitKey = (keyring: Keyring, purpose: string, network: string): string =>
  `${purpose}:${keyedHash(keyring, 'network', network).toString('base64url')}`

/** Deletes the counts of these keys, for limits on failures that a success ends. */
export const resetLimit = async (db: Db, ...keys: string[]): Promise<void> => {
  await db`delete from rate_counters where key = any(${keys}::text[])`
}

/** The rows one statement deletes: a purge of many never holds its locks for long. */
const PURGE_CHUNK = 1_000

/** Deletes counters whose window has ended, a chunk at a time. Several processes may do so at the same time. */
export const deleteExpiredCounters = async (db: Db, chunk = PURGE_CHUNK): Promise<void> => {
  for (let deleted = chunk; deleted === chunk; ) {
    const result = await db`
      delete from rate_counters
      where ctid = any(array(
        select ctid from rate_counters where expires_at < now() order by expires_at limit ${chunk} for update skip locked))`
    deleted = result.count
  }
}

/** The largest value of the database's type integer. */
const INTEGER_MAX = 2_147_483_647

/** Scales a limit by the setting LIMIT_SCALE (decision rate-limits): to at least 1, and never more than the database can compare with. */
export const scaleLimit = (limit: number, { LIMIT_SCALE }: { LIMIT_SCALE: number }): number =>
  Math.min(INTEGER_MAX, Math.max(1, Math.floor(limit * LIMIT_SCALE)))
