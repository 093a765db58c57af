import type { NewMessage } from '#contract/messages.ts'
import { plateKey } from '#contract/plates.ts'
import type { AppContext } from '../context.ts'
import { createBatcher, DEFER_TO_NEXT_BATCH } from '../db/batcher.ts'
import { newId } from '../db/ids.ts'
import { sqlState } from '../db/pool.ts'
import { keyedHash } from '../encryption/envelope-encryption.ts'
import { userLimitKey } from '../limits/rate-limiter.ts'
import { refuse } from '../refusal.ts'
import { encryptContent } from './message-encryption.ts'
import { resolveSendLimits, senderRetryAfterS, vehicleRetryAfterS } from './send-limits.ts'
import { type PendingMessage, type SendOutcome, sendBatch } from './send-statement.ts'

/** Messages of one statement; more would only make the first of them wait. */
const MAX_BATCH_SIZE = 64
const MAX_ATTEMPTS = 3

/**
 * What another transaction may cause and a second look settles: a deadlock, a vehicle or account deleted meanwhile
 * (foreign key), the same idempotency key or image used at the same moment (unique).
 */
const RETRYABLE_STATES = new Set(['40P01', '40001', '23503', '23505'])

type FinalOutcome = Exclude<SendOutcome, { outcome: 'later' }>

export type SendMessage = (
  senderId: string,
  message: NewMessage,
  idempotencyKey: string | null,
) => Promise<{ id: string; plate: string; inserted_at: string }>

/**
 * Makes the send (requirements §4, §8; decision 0020). Concurrent sends share one statement; everybody is answered after
 * the commit, and only then are the owners' streams and the mail worker woken.
 *
 * Refuses with `plate_not_registered`, `own_vehicle`, `vehicle_not_active`, `province_needed`, `attachment_unknown`,
 * `idempotency_mismatch`, and with `too_many_requests` over one of the limits on sending (decision 0071). A repeated key is
 * answered whatever the limits say, and counts nothing.
 */
export function makeSendMessage({ db, config, keyring, live, outbox }: AppContext): SendMessage {
  const limits = resolveSendLimits(config)
  const send = createBatcher<PendingMessage, FinalOutcome>(async (items) => {
    const answers = await withRetries(items, () => sendBatch(db, items, limits))
    const owners = new Set(answers.flatMap((a) => (a.outcome === 'sent' ? [a.ownerId] : [])))
    if (owners.size > 0) {
      live.publish(owners)
      outbox.wake()
    }
    return answers.map((answer) => (answer.outcome === 'later' ? DEFER_TO_NEXT_BATCH : answer))
  }, MAX_BATCH_SIZE)

  /** Tells whether a repeated key comes with the same contents. */
  const hashRequest = ({ plate, province, reason, attachment_id, content }: NewMessage) =>
    keyedHash(keyring, 'send', JSON.stringify([plateKey(plate), province, reason, attachment_id, content]))

  return async (senderId, message, idempotencyKey) => {
    const { plate, content, province, reason, attachment_id } = message
    const id = newId()
    const counter = userLimitKey(keyring, 'send', senderId)
    const answer = await send({
      id,
      senderId,
      counter,
      plateKey: plateKey(plate),
      province: province ?? null,
      contentSealed: encryptContent(keyring, id, content),
      reason: reason ?? null,
      attachmentId: attachment_id ?? null,
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : hashRequest(message),
    })
    switch (answer.outcome) {
      case 'sent':
      case 'replayed':
        return { id: answer.id, plate: answer.plate, inserted_at: answer.inserted_at }
      case 'province_needed':
        return refuse('province_needed', { provinces: answer.provinces })
      case 'over_limit': {
        const { limit, vehicleId } = answer
        const isSenderLimit = limit === 'messages' || limit === 'misses' || vehicleId === null
        const wait = isSenderLimit
          ? senderRetryAfterS(db, senderId, counter, limits)
          : vehicleRetryAfterS(db, senderId, vehicleId, limits)
        return refuse('too_many_requests', { limit, retryAfterS: await wait })
      }
      default:
        return refuse(answer.outcome)
    }
  }
}

/** A batch of several that fails is split by the batcher; a lone message is tried again where that can help. */
async function withRetries(items: PendingMessage[], run: () => Promise<SendOutcome[]>): Promise<SendOutcome[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (items.length > 1 || attempt === MAX_ATTEMPTS || !RETRYABLE_STATES.has(sqlState(error) ?? '')) throw error
    }
  }
}
