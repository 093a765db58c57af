import { timingSafeEqual } from 'node:crypto'
import { chipText } from '#contract/guest-chips.ts'
import { URGENT_REASONS } from '#contract/messages.ts'
import { foldPlate } from '#contract/plates.ts'
import { messageTemplate } from '#contract/reasons.ts'
import type { GuestMessage } from '#contract/tags.ts'
import { plateEnd } from '#contract/tags.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Transaction } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMails } from '../email/outbox.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { generateSecret } from '../encryption/secrets.ts'
import { consumeCounts, limitCount, networkCounts } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { clientNetwork } from '../limits/network.ts'
import {
  type Count,
  consume,
  consumeAll,
  networkLimitKey,
  readCount,
  remember,
  resetLimit,
  retryAfterSeconds,
  scaleLimit,
} from '../limits/rate-limiter.ts'
import { encryptContent, encryptPerson } from '../messages/message-encryption.ts'
import { shareWithPeople } from '../messages/people-queries.ts'
import { insertGuestMessage } from '../messages/queries.ts'
import { getBlockSecret } from '../messages/send-limits.ts'
import type { BlockableSender } from '../messages/sender-blocks.ts'
import { notify } from '../notifications/notify.ts'
import { countGuestFailure } from '../proof-of-work/proof-of-work.ts'
import { refuse } from '../refusal.ts'
import { insertReceipt, lockTries, readTagFacts, type TagFacts } from './queries.ts'
import { hashReceipt, tagKey } from './secrets.ts'

/** How long a tag takes nothing after too many wrong tries. */
const SLEEP = '1 hour'

/** What is known of somebody without an account: keyed hashes of the device, a random value its browser keeps, and the network. */
type Guest = {
  ip: string
  device: Buffer
  network: Buffer
  deviceSecret: Buffer
  networkSecret: Buffer
  /** The key of the counts of the device. */
  deviceCounter: string
}

/**
 * Returns what identifies a guest. A device that sends no value of its own is known by its network alone.
 *
 * @param deviceId the value the browser keeps; null where it keeps none
 */
export function identifyGuest(keyring: Keyring, ip: string, deviceId: string | null): Guest {
  const network = keyedHash(keyring, 'guest network', clientNetwork(ip))
  const device = keyedHash(keyring, 'guest device', deviceId ?? `of network ${network.toString('base64')}`)
  return {
    ip,
    device,
    network,
    deviceSecret: getBlockSecret(keyring, device),
    networkSecret: getBlockSecret(keyring, network),
    deviceCounter: `guest-device:${keyedHash(keyring, 'counter', `guest ${device.toString('base64')}`).toString('base64url')}`,
  }
}

/** A tag whose vehicle can be reached. */
type LiveTag = { [Name in 'vehicle_id' | 'owner_id' | 'plate' | 'plate_key']: string } & TagFacts

type Outcome = { result: 'left'; receipt: string; notifiedIds: string[] } | { result: 'refused' }

/**
 * Leaves a ready-made message at a vehicle (decision windshield-tag). Everything a try costs is the same for live, revoked and unknown
 * tags until the characters of the plate are right: the same statements, and the same refusal, which a tag that sleeps, is
 * paused or has had enough messages gives too. The limits on the guest are judged before the tag is looked at.
 *
 * A message of somebody whom one of the people of the vehicle has blocked is stored for its receipt alone (decision blocking-people).
 *
 * Refuses with `too_many_requests` for the guest, else with `tag_refused`.
 *
 * @param reference the token or the digits of the tag
 */
export async function leaveMessage(
  context: AppContext,
  guest: Guest,
  reference: string,
  message: GuestMessage,
): Promise<{ receipt: string }> {
  const { config, db, keyring, log, live, outbox } = context
  const toKey = (purpose: string) => (network: string) => networkLimitKey(keyring, purpose, network)
  const tries = networkCounts(config, 'tagTriesPerHour', guest.ip, toKey('tag-try'))
  const { allowed, retryAfterS } = await consumeCounts(db, log, tries)
  if (!allowed) refuse('too_many_requests', { retryAfterS })

  const key = tagKey(keyring, reference)
  const ofGuest = [
    limitCount(config, 'guestMessagesPerDevice', guest.deviceCounter),
    ...networkCounts(config, 'guestMessagesPerNetwork', guest.ip, toKey('guest-network')),
  ]
  const ofTag = [
    limitCount(config, 'tagMessagesPerHour', `${key.counter}:hour`),
    limitCount(config, 'tagMessagesPerDay', `${key.counter}:day`),
  ]
  await refuseOverLimit(context, ofGuest)

  const outcome = await inTransaction(db, async (tx): Promise<Outcome> => {
    await lockTries(tx, key.counter)
    const facts = await readTagFacts(tx, key, `${key.counter}:asleep`, {
      ...toBlockable(guest, message),
      person: guest.device,
    })
    const isRight = isPlateEnd(message.plate_end, facts.plate_key)
    if (facts.is_asleep) return { result: 'refused' }
    if (!isRight) {
      await countWrongTry(tx, context, key.counter)
      return { result: 'refused' }
    }
    if (!isLive(facts) || !(await consumeAll(tx, [...ofTag, ...ofGuest])).allowed) return { result: 'refused' }
    return storeMessage(tx, context, guest, facts, message)
  })
  if (outcome.result === 'refused') {
    await countGuestFailure(context)
    refuse('tag_refused')
  }
  if (outcome.notifiedIds.length > 0) {
    live.publish(outcome.notifiedIds)
    outbox.wake()
  }
  return { receipt: outcome.receipt }
}

/** Refuses a guest who has left enough messages, before anything about the tag is known. */
async function refuseOverLimit({ db }: AppContext, counts: Count[]): Promise<void> {
  const used = await Promise.all(counts.map((count) => readCount(db, count)))
  const full = counts.filter(({ max }, i) => used[i]! >= max)
  if (full.length === 0) return
  const waits = await Promise.all(full.map((count) => retryAfterSeconds(db, count)))
  refuse('too_many_requests', { limit: 'guest', retryAfterS: Math.max(...waits) })
}

/** Compares how the characters read, in a time that does not depend on them; without a plate nothing is right. */
function isPlateEnd(typed: string, key: string | null): boolean {
  const wanted = plateEnd(key ?? '')
  const pad = (text: string) => Buffer.from(foldPlate(text).padEnd(8, '-'))
  return timingSafeEqual(pad(typed), pad(wanted)) && key !== null
}

/** Returns by what blocks of the guest who leaves a message are found. */
const toBlockable = ({ deviceSecret, networkSecret }: Guest, { reason }: GuestMessage): BlockableSender => ({
  blockSecret: deviceSecret,
  networkSecret,
  isUrgent: URGENT_REASONS.includes(reason),
})

const isLive = (facts: TagFacts): facts is LiveTag => facts.vehicle_id !== null && facts.is_reachable

/** Counts a wrong try; the third within an hour puts the tag to sleep, whether or not the tag exists. */
async function countWrongTry(tx: Transaction, { config }: AppContext, counter: string): Promise<void> {
  const { max, windowS } = LIMITS.tagWrongTries
  const { allowed } = await consume(tx, `${counter}:wrong`, scaleLimit(max, config) - 1, windowS)
  if (allowed) return
  await remember(tx, `${counter}:asleep`, SLEEP)
  await resetLimit(tx, `${counter}:wrong`)
}

async function storeMessage(
  tx: Transaction,
  { keyring }: AppContext,
  guest: Guest,
  { vehicle_id: vehicleId, owner_id: ownerId, plate, is_blocked: isBlocked }: LiveTag,
  message: GuestMessage,
): Promise<Outcome> {
  const { reason, chips, language } = message
  const [id, receipt] = [newId(), generateSecret()]
  const ref = { id, vehicleId }
  // sentences the product knows, which each reader reads in their own language (`localizedMessageText`)
  const sentences = [messageTemplate(reason, 'en'), ...new Set(chips.map((chip) => chipText(chip, 'en')))]
  await insertGuestMessage(tx, {
    id,
    vehicleId,
    plate,
    reason,
    encryptedContent: encryptContent(keyring, ref, { text: sentences.join('\n') }),
    encryptedPerson: encryptPerson(keyring, 'sender_person', ref, Buffer.concat([guest.device, guest.network])),
    isWithheld: isBlocked,
  })
  await insertReceipt(tx, { messageId: id, receiptHash: hashReceipt(keyring, receipt), language })
  if (isBlocked) return { result: 'left', receipt, notifiedIds: [] }
  const notifiedIds = await shareWithPeople(tx, id, { vehicleId, ownerId })
  const data = { plate, message_id: id, vehicle_id: vehicleId }
  await notify(
    tx,
    notifiedIds.map((userId) => ({ userId, type: 'message_received', data, messageId: id })),
  )
  await queueMails(tx, { kind: 'message', refId: id }, notifiedIds)
  return { result: 'left', receipt, notifiedIds }
}
