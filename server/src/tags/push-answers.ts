import { GUEST_LANGUAGE_FACTS } from '#contract/guest-languages.ts'
import { paths } from '#contract/paths.ts'
import type { PushPayload } from '#contract/push.ts'
import type { AppContext } from '../context.ts'
import type { BackgroundJob } from '../jobs/interval-job.ts'
import { startLeaseWorker } from '../jobs/lease-worker.ts'
import { describeError } from '../log/safe-error.ts'
import type { SendPush } from '../push/send-push.ts'
import { createServiceSlots } from '../push/service-slots.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'
import { GUEST_TEXTS } from './guest-pages.ts'
import { deferReceiptPush, deleteReceiptPush, leaseReceiptPushes, type ReceiptPush } from './queries.ts'
import { readReceipt } from './secrets.ts'

const POLL_INTERVAL_MS = SECOND_MS
const MAX_IN_FLIGHT = 20
// leaves slots for the others: a push service that hangs keeps each of its own for as long as a push may take
const MAX_IN_FLIGHT_OF_SERVICE = 10
const STOP_TIMEOUT_MS = 15 * SECOND_MS
/** A push service that does not take it for this many tries is left alone: the page shows the answer too. */
const MAX_TRIES = 5

/** Starts notifying the devices of guests that the owner has answered, each once (decision windshield-tag). */
export function startAnswerPushes(
  { config, db, keyring, log }: Pick<AppContext, 'config' | 'db' | 'keyring' | 'log'>,
  sendPush: SendPush,
): BackgroundJob {
  const slots = createServiceSlots(MAX_IN_FLIGHT_OF_SERVICE)

  async function pushAnswer(push: ReceiptPush): Promise<void> {
    const receipt = readReceipt({ keyring, log }, push.id, push.receipt_encrypted)
    const result =
      receipt === null
        ? { state: 'gone' as const }
        : await sendPush(toDevice(push), toPayload(push, receipt, config.PUBLIC_URL))
    if (result.state === 'deferred' && push.tries < MAX_TRIES)
      return deferReceiptPush(db, push, result.retryAfterMs ?? push.tries * MINUTE_MS)
    if ('reason' in result) log.warn({ tries: push.tries, reason: result.reason }, `push to a guest ${result.state}`)
    await deleteReceiptPush(db, push)
  }

  async function handle(push: ReceiptPush): Promise<void> {
    try {
      await pushAnswer(push)
    } catch (error) {
      log.error({ error: describeError(error) }, 'a push to a guest could not be written; it comes back with its lease')
    }
    slots.release(push.service)
  }

  return startLeaseWorker<ReceiptPush>(log, {
    work: 'pushes to guests',
    source: 'what guests are to be told',
    queues: [
      {
        pollMs: POLL_INTERVAL_MS,
        lease: (limit) => slots.fill(limit, (count, full) => leaseReceiptPushes(db, count, full)),
      },
    ],
    handle,
    maxInFlight: MAX_IN_FLIGHT,
    stopTimeoutMs: STOP_TIMEOUT_MS,
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
