import { isIPv6 } from 'node:net'
import type { Db } from '../db/pool.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'

/** Says whether an attempt was allowed, and if not, after how many seconds the next one can be (otherwise 0). */
export type RateLimitResult = { allowed: boolean; retryAfterS: number }

// a window slides in this many steps
const SLICES_PER_WINDOW = 60

/**
 * Counts one attempt against a limit (decision 0071): of all attempts with this key, at most `limit` are allowed in any
 * `windowS` seconds. Only allowed attempts count, so a caller who keeps trying does not wait longer.
 *
 * The window slides over 60 slices of equal length. A slice counts until its last moment has left the window: never more
 * than the limit is allowed, and at worst an attempt waits a sixtieth of the window longer. Exact between concurrent
 * requests, because the slice's row is the lock.
 *
 * @param db the pool, so that the count remains when the request fails; or a transaction where only what was done counts
 *   (an attempt in another slice that has not committed is then not seen yet)
 * @param key what is limited and for whom, never an address or an account in clear text (see `userLimitKey`, `networkLimitKey`)
 * @param limit already scaled by LIMIT_SCALE (see `scaleLimit`)
 */
export async function consume(db: Db, key: string, limit: number, windowS: number): Promise<RateLimitResult> {
  const sliceS = windowS / SLICES_PER_WINDOW
  const [row] = await db<{ allowed: boolean }[]>`
    with slice as (
      select to_timestamp(floor(extract(epoch from now()) / ${sliceS}::float8) * ${sliceS}::float8) as start
    ), others as (
      select coalesce(sum(count), 0)::int as count
      from rate_counters, slice
      where key = ${key} and window_start > now() - make_interval(secs => ${windowS + sliceS}::float8)
        and window_start <> slice.start
    ), counted as (
      insert into rate_counters (key, window_start, count)
      select ${key}, slice.start, 1 from slice, others where others.count < ${limit}
      on conflict (key, window_start) do update set count = rate_counters.count + 1
        where rate_counters.count + (select count from others) < ${limit}
      returning 1
    )
    select exists (select from counted) as allowed`
  if (row?.allowed) return { allowed: true, retryAfterS: 0 }
  return { allowed: false, retryAfterS: await retryAfterSeconds(db, key, limit, windowS, sliceS) }
}

/** Returns the seconds until enough counts have left the window for one more attempt: at least 1. */
const retryAfterSeconds = async (db: Db, key: string, limit: number, windowS: number, sliceS: number) => {
  const [row] = await db<{ seconds: number }[]>`
    select extract(epoch from window_start - now())::float8 + ${windowS + sliceS}::float8 as seconds
    from (
      select window_start, sum(count) over (order by window_start desc) as since
      from rate_counters
      where key = ${key} and window_start > now() - make_interval(secs => ${windowS + sliceS}::float8)
    ) slices
    where since >= ${limit}
    order by window_start desc
    limit 1`
  return Math.max(1, Math.ceil(row?.seconds ?? sliceS))
}

/** Returns the key of a count for a user. Once the account is deleted, nothing in it leads back to the user. */
export const userLimitKey = (keyring: Keyring, purpose: string, userId: string): string =>
  `${purpose}:${keyedHash(keyring, 'counter', userId).toString('base64url')}`

/** Returns the key of a count for a network (`clientNetwork`), whose address cannot be read from it. */
export const networkLimitKey = (keyring: Keyring, purpose: string, ip: string): string =>
  `${purpose}:${keyedHash(keyring, 'network', clientNetwork(ip)).toString('base64url')}`

/** Deletes the counts of a key, for limits on failures that a success ends. */
export const resetLimit = async (db: Db, key: string): Promise<void> => {
  await db`delete from rate_counters where key = ${key}`
}

/** Deletes counters that no window of up to 31 days reads any more. */
export const deleteExpiredCounters = async (db: Db): Promise<void> => {
  await db`delete from rate_counters where window_start < now() - interval '32 days'`
}

/** The largest value of the database's type integer. */
const INTEGER_MAX = 2_147_483_647

/** Scales a limit by the setting LIMIT_SCALE (decision 0071): to at least 1, and never more than the database can compare with. */
export const scaleLimit = (limit: number, { LIMIT_SCALE }: { LIMIT_SCALE: number }): number =>
  Math.min(INTEGER_MAX, Math.max(1, Math.floor(limit * LIMIT_SCALE)))

/** Returns the network that counts as one caller: an IPv4 address, or the /64 of an IPv6 address, all of which one subscriber has. */
export function clientNetwork(ip: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (v4) return v4
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? front : [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
