import { GUEST_LANGUAGE_FACTS } from '#contract/guest-languages.ts'
import { paths } from '#contract/paths.ts'
import type { PushPayload } from '#contract/push.ts'
import type { AppContext } from '../context.ts'
import { DecryptionError } from '../encryption/envelope-encryption.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import type { SendPush } from '../push/send-push.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'
import { GUEST_TEXTS } from './guest-texts.ts'
import { deferReceiptPush, deleteReceiptPush, leaseReceiptPushes, type ReceiptPush } from './queries.ts'
import { decryptReceipt } from './secrets.ts'

const POLL_INTERVAL_MS = SECOND_MS
const BATCH_SIZE = 20
/** A push service that does not take it for this many tries is left alone: the page shows the answer too. */
const MAX_TRIES = 5

/** Starts notifying the devices of guests that the owner has answered, each once (decision 0096). */
export function startAnswerPushes(
  { config, db, keyring, log }: Pick<AppContext, 'config' | 'db' | 'keyring' | 'log'>,
  sendPush: SendPush,
): BackgroundJob {
  async function pushAnswer(push: ReceiptPush): Promise<void> {
    const receipt = readReceipt(push)
    const result =
      receipt === null
        ? { state: 'gone' as const }
        : await sendPush(toDevice(push), toPayload(push, receipt, config.PUBLIC_URL))
    if (result.state === 'deferred' && push.tries < MAX_TRIES)
      return deferReceiptPush(db, push.id, result.retryAfterMs ?? push.tries * MINUTE_MS)
    if ('reason' in result) log.warn({ tries: push.tries, reason: result.reason }, `push to a guest ${result.state}`)
    await deleteReceiptPush(db, push.id)
  }

  /** Returns null for a receipt that was damaged. */
  function readReceipt({ id, receipt_encrypted }: ReceiptPush): string | null {
    try {
      return decryptReceipt(keyring, id, receipt_encrypted)
    } catch (error) {
      if (error instanceof DecryptionError) return null
      throw error
    }
  }

  return startIntervalJob({ log, db }, 'telling guests of answers', POLL_INTERVAL_MS, async (stopping) => {
    for (let count = BATCH_SIZE; count === BATCH_SIZE && !stopping.aborted; ) {
      const due = await leaseReceiptPushes(db, BATCH_SIZE)
      await Promise.all(due.map(pushAnswer))
      count = due.length
    }
  })
}

const toDevice = ({ endpoint, p256dh, auth }: ReceiptPush) => ({ endpoint, keys: { p256dh, auth } })

function toPayload({ id, language }: ReceiptPush, receipt: string, publicUrl: string): PushPayload {
  const { answered, push_body } = GUEST_TEXTS[language].receipt
  const { tag, direction } = GUEST_LANGUAGE_FACTS[language]
  return {
    web_push: 8030,
    notification: {
      title: answered,
      body: push_body,
      lang: tag,
      dir: direction,
      navigate: publicUrl + paths.receipt(receipt),
      tag: id,
      icon: `${publicUrl}/icon-192.png`,
      app_badge: 0,
    },
    app_badge: 0,
  }
}
