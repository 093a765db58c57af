import type { Collision } from '#contract/collisions.ts'
import type { NewMessage } from '#contract/messages.ts'
import { plateKey } from '#contract/plates.ts'
import { deleteUnsentAttachments } from '../attachments/queries.ts'
import type { CollisionDetails } from '../collisions/details.ts'
import { prepareCard } from '../collisions/prepare-card.ts'
import { deletePhotos } from '../collisions/queries.ts'
import type { AppContext } from '../context.ts'
import { createBatcher, DEFER_TO_NEXT_BATCH } from '../db/batcher.ts'
import { newId } from '../db/ids.ts'
import { isUnavailable, sqlState } from '../db/pool.ts'
import { keyedHash } from '../encryption/envelope-encryption.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { createSlots } from '../limits/slots.ts'
import { refuse } from '../refusal.ts'
import { type Draft, encryptForSend } from './encrypt-for-send.ts'
import { identifySender, pairRetryAfterS, resolveSendLimits, senderRetryAfterS } from './send-limits.ts'
import { type SendOutcome, sendBatch } from './send-statement.ts'

/** Limits the messages of one statement; more would only delay the first of them. */
const MAX_BATCH_SIZE = 64
/** Limits those of one sender: they may depend on each other, and others wait for the statement. */
const MAX_BATCH_SHARE = 4
const MAX_ATTEMPTS = 3

/**
 * Errors that another transaction may cause and another try resolves: a deadlock, a vehicle or account deleted
 * meanwhile (foreign key), the same idempotency key or image used at the same moment (unique).
 */
const RETRYABLE_STATES = new Set(['40P01', '40001', '23503', '23505'])

type Hit = Extract<Collision, { kind: 'hit' }>

type FinalOutcome = Exclude<SendOutcome, { outcome: 'later' }>

/** Who sends, and from where: limits follow the person and the network (decision rate-limits). */
type Sender = { id: string; personHash: Buffer; ip: string }

type SendMessage = (
  sender: Sender,
  message: NewMessage,
  idempotencyKey: string | null,
) => Promise<{ id: string; plate: string; inserted_at: string }>

/**
 * Creates the function that sends messages (requirements §4, §8; decision send-statement). Concurrent sends share one statement. They
 * return after its commit, and only then the streams of the people notified and the mail worker are woken. The senders take
 * turns, and have few sends in progress at one time, so that nobody's sends wait behind those of somebody with many (decision
 * overload-protection).
 *
 * It refuses with `plate_not_registered`, `own_vehicle`, `vehicle_not_active`, `province_needed`, `attachment_unknown`,
 * `idempotency_mismatch`, and with `too_many_requests` over one of the sender's own limits on sending (decision rate-limits).
 * A block looks like success (decision mutual-anonymity). A repeated key returns the first result whatever the limits are, and counts
 * against none.
 */
export function makeSendMessage(context: AppContext): SendMessage {
  const { db, config, keyring, live, outbox } = context
  const limits = resolveSendLimits(config)
  const decide = createBatcher<Draft, FinalOutcome>(
    async (drafts) => {
      const outcomes = await withRetries(drafts, async () =>
        sendBatch(db, await encryptForSend(context, drafts), limits),
      )
      const notified = new Set(outcomes.flatMap((result) => (result.outcome === 'sent' ? result.notifiedIds : [])))
      if (notified.size > 0) {
        live.publish(notified)
        outbox.wake()
      }
      return outcomes.map((result) => (result.outcome === 'later' ? DEFER_TO_NEXT_BATCH : result))
    },
    MAX_BATCH_SIZE,
    { groupOf: ({ counter }) => counter, maxPerGroup: MAX_BATCH_SHARE },
    config.SEND_BATCHES,
  )
  const acquireSlot = createSlots({ perUser: scaleLimit(LIMITS.concurrentSends.max, config) })

  /** Hashes the contents of a send, to compare them when its idempotency key is repeated. */
  const hashRequest = ({ plate, province, reason, attachment_id, content, collision }: NewMessage) =>
    keyedHash(
      keyring,
      'send',
      JSON.stringify([plateKey(plate), province, reason, attachment_id, content, ...(collision ? [collision] : [])]),
    )

  /** Sends a draft of somebody who hit a vehicle, with its card. */
  const decideWithCard = async (item: Draft, hit: Hit): Promise<FinalOutcome> => {
    const card = await prepareCard(context, item.senderId, item.id, hit)
    // a photo is gone: refused as an unknown image is, after whatever else is refused first, and never sent without its card
    if (!card) return decide({ ...item, attachmentId: newId() })
    let result: FinalOutcome
    try {
      result = await decide({ ...item, card })
    } catch (error) {
      // a lost connection does not say whether the message was sent, or will be yet: the photos stay, for its card or for a day
      if (!isUnavailable(error)) await deletePhotos(db, card.id)
      throw error
    }
    // the uploads name the account; what is not deleted here goes by itself, uploads in an hour and the photos of a card in a day
    if (result.outcome === 'sent') await deleteUnsentAttachments(db, item.senderId, hit.photos)
    else await deletePhotos(db, card.id)
    return result
  }

  return async (sender, message, idempotencyKey) => {
    const { plate, content, province, reason, attachment_id, collision } = message
    const counts = identifySender(keyring, sender)
    const draft: Draft = {
      ...counts,
      id: newId(),
      plate,
      plateKey: plateKey(plate),
      province: province ?? null,
      content,
      reason: reason ?? null,
      attachmentId: attachment_id ?? null,
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : hashRequest(message),
      collision: collision ? toDetails(collision) : null,
    }
    const releaseSlot = acquireSlot(draft.counter) // a person with several accounts is one sender here
    const result = await (collision?.kind === 'hit' ? decideWithCard(draft, collision) : decide(draft)).finally(
      releaseSlot,
    )
    switch (result.outcome) {
      case 'sent':
      case 'replayed':
        return { id: result.id, plate: result.plate, inserted_at: result.inserted_at }
      case 'province_needed':
        return refuse('province_needed', { provinces: result.provinces })
      case 'over_limit': {
        const { limit, vehicleId } = result
        const retryAfterS =
          limit === 'unanswered' && vehicleId !== null
            ? await pairRetryAfterS(db, counts, vehicleId, limits)
            : await senderRetryAfterS(db, counts, limits)
        return refuse('too_many_requests', { limit, retryAfterS })
      }
      default:
        return refuse(result.outcome)
    }
  }
}

const toDetails = (collision: Collision): CollisionDetails => ({
  kind: collision.kind,
  witness: collision.kind === 'saw' && collision.witness ? 'offered' : null,
  contact: null,
})

/** Tries a single message again where that can help. When a batch of several fails, the batcher splits it. */
async function withRetries(items: Draft[], run: () => Promise<SendOutcome[]>): Promise<SendOutcome[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (items.length > 1 || attempt === MAX_ATTEMPTS || !RETRYABLE_STATES.has(sqlState(error) ?? '')) throw error
    }
  }
}
