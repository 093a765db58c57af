import type { LimitText } from '#contract/errors.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'

/** A day's limit above this, which only load profiles have, is counted by the minute, so that a count stays small. */
const MAX_EXACT_DAY_LIMIT = 1_000
const EXACT_SLICE_S = 0.000_001

/** The limits on sending under LIMIT_SCALE. What is counted leaves a window `sliceS` after its moment did. */
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

/** Which limit refused a send. Those of the sender are looked at before the plate is, and so tell nothing of it. */
export type SendLimitName = Extract<LimitText, 'messages' | 'misses' | 'unanswered' | 'inbound'>

/** So coarse is what a sender learns about when other people wrote to a vehicle. */
const INBOUND_ROUNDING_S = 5 * MINUTE_S

type AgedCount = { ageS: number; count: number }

/**
 * Seconds until one more is let through.
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

/** Seconds until the next send of a person can succeed as far as their own limits go. */
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

/** Seconds until the next send of a person to a vehicle can succeed, if nobody else fills its hour meanwhile. */
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
