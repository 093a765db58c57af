import type { NewMessage } from '#contract/messages.ts'
import { plateKey } from '#contract/plates.ts'
import { batcher, LATER } from '../db/batcher.ts'
import { newId } from '../db/ids.ts'
import { sqlState } from '../db/pool.ts'
import { personKey } from '../http/rate-limit.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { keyedHash } from '../sealing/seal.ts'
import { senderWaitS, sendLimits, vehicleWaitS } from './send-limits.ts'
import { type Sending, type Sent, sendBatch } from './send-statement.ts'
import { sealContent } from './texts.ts'

/** Messages of one statement; more would only make the first of them wait. */
const BATCH_MAX = 64
const TRIES = 3

/**
 * What another transaction may cause and a second look settles: a deadlock, a vehicle or account deleted meanwhile
 * (foreign key), the same idempotency key or image used at the same moment (unique).
 */
const WORTH_ANOTHER_LOOK = new Set(['40P01', '40001', '23503', '23505'])

type Decided = Exclude<Sent, { outcome: 'later' }>

export type SendMessage = (
  senderId: string,
  message: NewMessage,
  idempotencyKey: string | null,
) => Promise<{ id: string; plate: string; inserted_at: string }>

/**
 * Makes the send (spec §4, §8; design §1, rule 1). Concurrent sends share one statement; everybody is answered after
 * the commit, and only then are the owners' streams and the mail worker woken.
 *
 * Refuses with `plate_not_registered`, `own_vehicle`, `vehicle_not_active`, `province_needed`, `attachment_unknown`,
 * `idempotency_mismatch`, and with `too_many_requests` over one of the limits on sending (design §6). A repeated key is
 * answered whatever the limits say, and counts nothing.
 */
export function makeSendMessage({ db, config, keyring, live, outbox }: Parts): SendMessage {
  const limits = sendLimits(config)
  const send = batcher<Sending, Decided>(async (items) => {
    const answers = await withSecondLook(items, () => sendBatch(db, items, limits))
    const owners = new Set(answers.flatMap((a) => (a.outcome === 'sent' ? [a.ownerId] : [])))
    if (owners.size > 0) {
      live.publish(owners)
      outbox.wake()
    }
    return answers.map((answer) => (answer.outcome === 'later' ? LATER : answer))
  }, BATCH_MAX)

  /** Tells whether a repeated key comes with the same contents. */
  const hashOf = ({ plate, province, reason, attachment_id, content }: NewMessage) =>
    keyedHash(keyring, 'send', JSON.stringify([plateKey(plate), province, reason, attachment_id, content]))

  return async (senderId, message, idempotencyKey) => {
    const { plate, content, province, reason, attachment_id } = message
    const id = newId()
    const counter = personKey(keyring, 'send', senderId)
    const answer = await send({
      id,
      senderId,
      counter,
      plateKey: plateKey(plate),
      province: province ?? null,
      contentSealed: sealContent(keyring, id, content),
      reason: reason ?? null,
      attachmentId: attachment_id ?? null,
      idempotencyKey,
      requestHash: idempotencyKey === null ? null : hashOf(message),
    })
    switch (answer.outcome) {
      case 'sent':
      case 'replayed':
        return { id: answer.id, plate: answer.plate, inserted_at: answer.inserted_at }
      case 'province_needed':
        return refuse('province_needed', { provinces: answer.provinces })
      case 'over_limit': {
        const { limit, vehicleId } = answer
        const ofSender = limit === 'messages' || limit === 'misses' || vehicleId === null
        const wait = ofSender
          ? senderWaitS(db, senderId, counter, limits)
          : vehicleWaitS(db, senderId, vehicleId, limits)
        return refuse('too_many_requests', { limit, retryAfterS: await wait })
      }
      default:
        return refuse(answer.outcome)
    }
  }
}

/** A batch of several that fails is split by the batcher; a lone message is tried again where that can help. */
async function withSecondLook(items: Sending[], run: () => Promise<Sent[]>): Promise<Sent[]> {
  for (let tried = 1; ; tried++) {
    try {
      return await run()
    } catch (error) {
      if (items.length > 1 || tried === TRIES || !WORTH_ANOTHER_LOOK.has(sqlState(error) ?? '')) throw error
    }
  }
}
