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

/** Limits the messages of one statement; more would only delay the first of them. */
const MAX_BATCH_SIZE = 64
const MAX_ATTEMPTS = 3

/**
 * Errors that another transaction may cause and another try resolves: a deadlock, a vehicle or account deleted
 * meanwhile (foreign key), the same idempotency key or image used at the same moment (unique).
 */
const RETRYABLE_STATES = new Set(['40P01', '40001', '23503', '23505'])

type FinalOutcome = Exclude<SendOutcome, { outcome: 'later' }>

export type SendMessage = (
  senderId: string,
  message: NewMessage,
  idempotencyKey: string | null,
) => Promise<{ id: string; plate: string; inserted_at: string }>

/**
 * Creates the function that sends messages (requirements §4, §8; decision 0020). Concurrent sends share one statement.
 * They return after its commit, and only then the owners' streams and the mail worker are woken.
 *
 * It refuses with `plate_not_registered`, `own_vehicle`, `vehicle_not_active`, `province_needed`, `attachment_unknown`,
 * `idempotency_mismatch`, and with `too_many_requests` over one of the limits on sending (decision 0071). A repeated
 * key returns the first result whatever the limits are, and counts against none.
 */
export function makeSendMessage({ db, config, keyring, live, outbox }: AppContext): SendMessage {
  const limits = resolveSendLimits(config)
  const send = createBatcher<PendingMessage, FinalOutcome>(async (items) => {
    const outcomes = await withRetries(items, () => sendBatch(db, items, limits))
    const owners = new Set(outcomes.flatMap((result) => (result.outcome === 'sent' ? [result.ownerId] : [])))
    if (owners.size > 0) {
      live.publish(owners)
      outbox.wake()
    }
    return outcomes.map((result) => (result.outcome === 'later' ? DEFER_TO_NEXT_BATCH : result))
  }, MAX_BATCH_SIZE)

  /** Hashes the contents of a send, to compare them when its idempotency key is repeated. */
  const hashRequest = ({ plate, province, reason, attachment_id, content }: NewMessage) =>
    keyedHash(keyring, 'send', JSON.stringify([plateKey(plate), province, reason, attachment_id, content]))

  return async (senderId, message, idempotencyKey) => {
    const { plate, content, province, reason, attachment_id } = message
    const id = newId()
    const counter = userLimitKey(keyring, 'send', senderId)
    const result = await send({
      id,
      senderId,
      counter,
      plateKey: plateKey(plate),
      province: province ?? null,
      encryptedContent: encryptContent(keyring, id, content),
      reason: reason ?? null,
      attachmentId: attachment_id ?? null,
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : hashRequest(message),
    })
    switch (result.outcome) {
      case 'sent':
      case 'replayed':
        return { id: result.id, plate: result.plate, inserted_at: result.inserted_at }
      case 'province_needed':
        return refuse('province_needed', { provinces: result.provinces })
      case 'over_limit': {
        const { limit, vehicleId } = result
        const isSenderLimit = limit === 'messages' || limit === 'misses' || vehicleId === null
        const retryAfterS = isSenderLimit
          ? await senderRetryAfterS(db, senderId, counter, limits)
          : await vehicleRetryAfterS(db, senderId, vehicleId, limits)
        return refuse('too_many_requests', { limit, retryAfterS })
      }
      default:
        return refuse(result.outcome)
    }
  }
}

/** Tries a single message again where that can help. When a batch of several fails, the batcher splits it. */
async function withRetries(items: PendingMessage[], run: () => Promise<SendOutcome[]>): Promise<SendOutcome[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (items.length > 1 || attempt === MAX_ATTEMPTS || !RETRYABLE_STATES.has(sqlState(error) ?? '')) throw error
    }
  }
}
