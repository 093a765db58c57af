import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { getPersonSecret, personLimitKey } from '../limits/canonical-address.ts'
import { LIMITS } from '../limits/limits.ts'
import { enclosingNetworks } from '../limits/network.ts'
import { networkLimitKey, resetLimit, scaleLimit } from '../limits/rate-limiter.ts'
import type { LimitText } from '../refusal.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'

/** Above this, a limit per day (as in load tests) is counted by the minute, so that there are few rows to add up. */
const MAX_EXACT_DAY_LIMIT = 1_000
const EXACT_SLICE_S = 0.000_001

/**
 * What a person may do in a day whatever others in the same network have done: whoever shares an address with somebody who probes
 * or floods can still send (decision rate-limits).
 */
const OWN_MISSES_PER_DAY = 3
const OWN_SENDS_PER_DAY = 5

/**
 * Returns the limits on sending under LIMIT_SCALE. `sliceS` is the precision with which the time of a send is counted.
 */
export function resolveSendLimits(config: Pick<Config, 'LIMIT_SCALE'>) {
  const maxOf = (name: keyof typeof LIMITS) => scaleLimit(LIMITS[name].max, config)
  return {
    hour: maxOf('messagesPerHour'),
    day: maxOf('messagesPerDay'),
    sanctionedDay: maxOf('sanctionedMessagesPerDay'),
    missesHour: maxOf('missesPerHour'),
    missesDay: maxOf('missesPerDay'),
    pairDay: maxOf('unansweredPerDay'),
    pairMonth: maxOf('unansweredPerMonth'),
    networkMisses: maxOf('networkMissesPerDay'),
    networkFirstDay: maxOf('networkNewAccountMessagesPerDay'),
    ownMisses: OWN_MISSES_PER_DAY,
    ownSends: OWN_SENDS_PER_DAY,
    sliceS: maxOf('messagesPerDay') > MAX_EXACT_DAY_LIMIT ? MINUTE_S : EXACT_SLICE_S,
  }
}
export type SendLimits = ReturnType<typeof resolveSendLimits>

/** The limit that refused a send. Those of the sender are checked before the plate is, and so reveal nothing about it. */
export type SendLimitName = Extract<LimitText, 'messages' | 'misses' | 'unanswered'>

/** The precision with which the sends of a network are counted: a sixtieth of the day. */
export const NETWORK_SLICE_S = DAY_S / 60

/** The counts of the networks an address belongs to, the narrowest first, and how much larger the limit of each is. */
type SenderNetworks = { missKeys: string[]; firstDayKeys: string[]; factors: number[] }

/** What a send is counted by (decision rate-limits). */
export type SenderCounts = {
  senderId: string
  /** The key of the counts of the person. */
  counter: string
  /** What the key of the pair of person and vehicle is made of (`pair_counter_key` in the database). */
  pairSecret: Buffer
  networks: SenderNetworks
}

/** A sender, with what shows whether they are blocked (decision blocking-people). */
export type IdentifiedSender = SenderCounts & {
  /** `hashPerson` */
  person: Buffer
  /** What the hash of a block is made of (`blocked_hash` in the database). */
  blockSecret: Buffer
}

/** Returns what identifies a sender, and what their sends are counted by. */
export function identifySender(
  keyring: Keyring,
  sender: { id: string; personHash: Buffer; ip: string },
): IdentifiedSender {
  const person = sender.personHash
  return { ...getSenderCounts(keyring, sender), person, blockSecret: getBlockSecret(keyring, person) }
}

/** Returns the secret in the hashes of blocks of a person. */
export const getBlockSecret = (keyring: Keyring, person: Buffer): Buffer => getPersonSecret(keyring, 'block', person)

/** Returns the counters of the sends of an account, its person and the networks of its IP address. */
const getSenderCounts = (
  keyring: Keyring,
  { id, personHash, ip }: { id: string; personHash: Buffer; ip: string },
): SenderCounts => ({
  senderId: id,
  counter: personLimitKey(keyring, 'send', personHash),
  pairSecret: getPairSecret(keyring, personHash),
  networks: getSenderNetworks(keyring, ip),
})

function getSenderNetworks(keyring: Keyring, ip: string): SenderNetworks {
  const steps = enclosingNetworks(ip)
  const toKeys = (purpose: string) => steps.map(({ network }) => networkLimitKey(keyring, purpose, network))
  return {
    missKeys: toKeys('send-network-miss'),
    firstDayKeys: toKeys('send-network-first-day'),
    factors: steps.map(({ factor }) => factor),
  }
}

/** Returns the secret in the keys of a person's counts with vehicles. */
export const getPairSecret = (keyring: Keyring, person: Buffer): Buffer => getPersonSecret(keyring, 'pair', person)

/** Deletes the count of what a person sent to a vehicle since its last reply: it has just replied. */
export const resetPair = async (db: Db, pairSecret: Buffer, vehicleId: string): Promise<void> => {
  const [row] = await db<{ key: string }[]>`select pair_counter_key(${pairSecret}::bytea, ${vehicleId}::uuid) as key`
  await resetLimit(db, row!.key)
}

type AgedCount = { ageS: number; count: number }

/**
 * Returns the seconds until one more send is allowed.
 *
 * @param counted newest first
 */
function secondsUntilFree(counted: AgedCount[], max: number, windowS: number): number {
  let since = 0
  const last = counted.find(({ count }) => {
    since += count
    return since >= max
  })
  return Math.max(0, windowS - (last?.ageS ?? windowS))
}

/** Returns the seconds until the limits of the sender and of their networks allow the next send. */
export async function senderRetryAfterS(
  db: Db,
  { senderId, counter, networks }: SenderCounts,
  limits: SendLimits,
): Promise<number> {
  const keys = [counter, `${counter}:miss`, ...networks.missKeys, ...networks.firstDayKeys]
  const rows = await db<(AgedCount & { key: string })[]>`
    select key, count, extract(epoch from now() - window_start)::float8 - case when key in (${counter}, ${`${counter}:miss`})
      then ${limits.sliceS}::float8 else ${NETWORK_SLICE_S}::float8 end as "ageS"
    from rate_counters
    where key = any(${keys}::text[])
      and window_start > now() - make_interval(secs => ${DAY_S + Math.max(limits.sliceS, NETWORK_SLICE_S)})
    order by window_start desc`
  const [account] = await db<{ ageS: number; limited: boolean }[]>`
    select extract(epoch from now() - coalesce(email_confirmed_at, created_at))::float8 as "ageS",
      is_sanctioned(person_hash, 'limit') as limited
    from auth.users where id = ${senderId}`
  const sanctionWait = account?.limited
    ? secondsUntilFree(
        rows.filter(({ key }) => key === counter),
        limits.sanctionedDay,
        DAY_S,
      )
    : 0
  const of = (key: string) => rows.filter((row) => row.key === key)
  const wait = (counted: AgedCount[], hour: number, day: number) =>
    Math.max(secondsUntilFree(counted, hour, HOUR_S), secondsUntilFree(counted, day, DAY_S))
  const networkWait = (networkKeys: string[], max: number, own: AgedCount[], ownMax: number) =>
    Math.min(
      secondsUntilFree(own, ownMax, DAY_S),
      Math.max(...networkKeys.map((key, i) => secondsUntilFree(of(key), max * networks.factors[i]!, DAY_S))),
    )
  const [sent, missed] = [of(counter), of(`${counter}:miss`)]
  const untilMature = Math.max(0, DAY_S - (account?.ageS ?? DAY_S))
  return Math.max(
    wait(sent, limits.hour, limits.day),
    Math.min(untilMature, networkWait(networks.firstDayKeys, limits.networkFirstDay, sent, limits.ownSends)),
    sanctionWait,
    wait(missed, limits.missesHour, limits.missesDay),
    networkWait(networks.missKeys, limits.networkMisses, missed, limits.ownMisses),
  )
}

/** Returns the seconds until the person can write to a vehicle again that has not answered. */
export async function pairRetryAfterS(
  db: Db,
  { pairSecret }: SenderCounts,
  vehicleId: string,
  limits: SendLimits,
): Promise<number> {
  const counted = await db<AgedCount[]>`
    select count, extract(epoch from now() - window_start)::float8 - ${limits.sliceS}::float8 as "ageS"
    from rate_counters
    where key = pair_counter_key(${pairSecret}::bytea, ${vehicleId}::uuid)
      and window_start > now() - make_interval(secs => ${LIMITS.unansweredPerMonth.windowS + limits.sliceS})
    order by window_start desc`
  return Math.max(
    secondsUntilFree(counted, limits.pairDay, LIMITS.unansweredPerDay.windowS),
    secondsUntilFree(counted, limits.pairMonth, LIMITS.unansweredPerMonth.windowS),
  )
}
