import type { LimitText } from '#contract/errors.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'

/** Above this, a limit per day (as in load tests) is counted by the minute, so that there are few rows to add up. */
const MAX_EXACT_DAY_LIMIT = 1_000
const EXACT_SLICE_S = 0.000_001

/**
 * Returns the limits on sending under LIMIT_SCALE. `sliceS` is the precision with which the time of a send is counted.
 */
export function resolveSendLimits(config: Pick<Config, 'LIMIT_SCALE'>) {
  const maxOf = (name: keyof typeof LIMITS) => scaleLimit(LIMITS[name].max, config)
  return {
    hour: maxOf('messagesPerHour'),
    day: maxOf('messagesPerDay'),
    firstHour: maxOf('newAccountMessagesPerHour'),
    firstDay: maxOf('newAccountMessagesPerDay'),
    missesHour: maxOf('missesPerHour'),
    missesDay: maxOf('missesPerDay'),
    pairDay: maxOf('unansweredPerDay'),
    pairMonth: maxOf('unansweredPerMonth'),
    vehicleHour: maxOf('inboundPerHour'),
    sliceS: maxOf('messagesPerDay') > MAX_EXACT_DAY_LIMIT ? MINUTE_S : EXACT_SLICE_S,
  }
}
export type SendLimits = ReturnType<typeof resolveSendLimits>

/**
 * The limit that refused a send. Those of the sender are checked before the plate is, and so reveal nothing about it.
 */
export type SendLimitName = Extract<LimitText, 'messages' | 'misses' | 'unanswered' | 'inbound'>

/** Hides from a sender when exactly others wrote to a vehicle. */
const INBOUND_ROUNDING_S = 5 * MINUTE_S

type AgedCount = { ageS: number; count: number }

/**
 * Returns the seconds until one more send is allowed.
 *
 * @param counted newest first
 */
export function secondsUntilFree(counted: AgedCount[], max: number, windowS: number): number {
  let since = 0
  const last = counted.find(({ count }) => {
    since += count
    return since >= max
  })
  return Math.max(0, windowS - (last?.ageS ?? windowS))
}

/** Returns the seconds until the sender's own limits allow the next send. */
export async function senderRetryAfterS(
  db: Db,
  senderId: string,
  counter: string,
  limits: SendLimits,
): Promise<number> {
  const rows = await db<(AgedCount & { key: string })[]>`
    select key, count, extract(epoch from now() - window_start)::float8 - ${limits.sliceS}::float8 as "ageS"
    from rate_counters
    where key in (${counter}, ${`${counter}:miss`}) and window_start > now() - make_interval(secs => ${DAY_S + limits.sliceS})
    order by window_start desc`
  const [account] = await db<{ ageS: number }[]>`
    select extract(epoch from now() - created_at)::float8 as "ageS" from auth.users where id = ${senderId}`
  const sent = rows.filter(({ key }) => key === counter)
  const missed = rows.filter(({ key }) => key !== counter)
  const wait = (counted: AgedCount[], hour: number, day: number) =>
    Math.max(secondsUntilFree(counted, hour, HOUR_S), secondsUntilFree(counted, day, DAY_S))
  const untilMature = Math.max(0, DAY_S - (account?.ageS ?? DAY_S))
  const matureWait = Math.max(untilMature, wait(sent, limits.hour, limits.day))
  const soonest = untilMature > 0 ? Math.min(matureWait, wait(sent, limits.firstHour, limits.firstDay)) : matureWait
  return Math.max(soonest, wait(missed, limits.missesHour, limits.missesDay))
}

/** Returns the seconds until the sender can write to a vehicle again, unless others use up its limit meanwhile. */
export async function vehicleRetryAfterS(
  db: Db,
  senderId: string,
  vehicleId: string,
  limits: SendLimits,
): Promise<number> {
  const unanswered = await db<AgedCount[]>`
    select 1 as count, extract(epoch from now() - inserted_at)::float8 as "ageS"
    from messages
    where sender_id = ${senderId} and vehicle_id = ${vehicleId} and inserted_at > coalesce((
      select max(replied_at) from messages
      where sender_id = ${senderId} and vehicle_id = ${vehicleId} and replied_at is not null), '-infinity')
    order by id desc
    limit ${Math.max(limits.pairDay, limits.pairMonth)}`
  const inbound = await db<AgedCount[]>`
    select 1 as count, extract(epoch from now() - inserted_at)::float8 as "ageS"
    from messages
    where vehicle_id = ${vehicleId}
    order by id desc
    limit ${limits.vehicleHour}`
  return Math.max(
    secondsUntilFree(unanswered, limits.pairDay, LIMITS.unansweredPerDay.windowS),
    secondsUntilFree(unanswered, limits.pairMonth, LIMITS.unansweredPerMonth.windowS),
    Math.ceil(secondsUntilFree(inbound, limits.vehicleHour, HOUR_S) / INBOUND_ROUNDING_S) * INBOUND_ROUNDING_S,
  )
}
