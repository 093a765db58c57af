import { type MessageReason, URGENT_REASONS } from '#contract/messages.ts'
import type { NotificationType } from '#contract/notifications.ts'
import type { AppContext } from '../context.ts'
import type { Transaction } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { type MailKind, queueMail } from '../email/outbox.ts'
import type { BackgroundJob } from '../jobs/interval-job.ts'
import { startLeaseWorker } from '../jobs/lease-worker.ts'
import { describeError } from '../log/safe-error.ts'
import { notify } from '../notifications/notify.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'
import {
  claimEscalationStep,
  type DueStep,
  type EscalatedMessage,
  findEscalated,
  findHolder,
  insertStep,
  listDueSteps,
  lockNotified,
  lockReadingDrivers,
  shareWithDrivers,
} from './escalation-queries.ts'
import { decryptPerson, splitSender } from './message-encryption.ts'
import { getBlockSecret } from './send-limits.ts'
import type { BlockableSender } from './sender-blocks.ts'

/**
 * After how many minutes without an answer everybody of the vehicle is notified, when one of them has the car (decision
 * vehicle-people): danger, somebody who is blocked in, what cannot wait long. Null: never, a courtesy is for the driver.
 */
const EVERYBODY_AFTER_MINUTES: Record<MessageReason, number | null> = {
  someone_inside: 2,
  towing: 2,
  blocked_in: 5,
  accident: 15,
  alarm: 15,
  door_open: 15,
  lights_on: null,
  flat_or_leak: null,
  other: 15,
}
/** What somebody only wrote may be anything. */
const WITHOUT_REASON: MessageReason = 'other'

type EscalationContext = Pick<AppContext, 'db' | 'keyring' | 'log' | 'live'> & { outbox?: AppContext['outbox'] }

/**
 * Carries out one step of a message's escalation to the people of a vehicle, in one transaction with taking it: exactly once
 * over any number of workers, also when one is killed (decision vehicle-people). People are notified by a row each in the notifications
 * and the outbox; the workers of both hold them in quiet hours.
 *
 * @returns false when another worker did it, or is doing it
 */
export async function escalateMessage(context: EscalationContext, due: DueStep, now: Date): Promise<boolean> {
  const notified = await inTransaction(context.db, async (tx) => {
    if (!(await claimEscalationStep(tx, due, now))) return null
    const message = await findEscalated(tx, due.messageId)
    return message ? doStep(tx, context, due, message, now) : []
  })
  if (notified && notified.length > 0) {
    context.live.publish(notified)
    context.outbox?.wake()
  }
  return notified !== null
}

async function doStep(
  tx: Transaction,
  context: EscalationContext,
  { messageId, step }: DueStep,
  message: EscalatedMessage,
  now: Date,
): Promise<string[]> {
  if (step === 'nudge') {
    const notified = await lockNotified(tx, messageId, { sender: toBlockableSender(context, messageId, message) })
    return message.is_answered ? [] : notifyPeople(tx, messageId, message, notified, 'message_nudged', 'nudge')
  }
  const drivers =
    step === 'share'
      ? await shareWithDrivers(tx, messageId, message, toBlockableSender(context, messageId, message))
      : await lockReadingDrivers(tx, messageId)
  if (message.is_answered) return []
  const everybody = [message.owner_id, ...drivers.map(({ user_id }) => user_id)]
  const holder = step === 'share' ? await findHolder(tx, message.vehicle_id, now) : undefined
  const holderId =
    holder &&
    (holder.driver_id === null ? message.owner_id : drivers.find(({ id }) => id === holder.driver_id)?.user_id)
  if (!holderId) return notifyPeople(tx, messageId, message, everybody, 'message_received', 'message')
  const minutes = EVERYBODY_AFTER_MINUTES[message.reason ?? WITHOUT_REASON]
  if (minutes !== null) {
    const dueAt = new Date(Date.parse(message.inserted_at) + minutes * MINUTE_MS)
    await insertStep(tx, { messageId, step: 'everybody' }, dueAt)
  }
  return notifyPeople(tx, messageId, message, [holderId], 'message_received', 'message')
}

/** Returns by what blocks of the sender of a message are found: it keeps who that was. */
function toBlockableSender(
  { keyring, log }: EscalationContext,
  messageId: string,
  { vehicle_id: vehicleId, reason, sender_person_encrypted }: EscalatedMessage,
): BlockableSender {
  const sender = decryptPerson({ keyring, log }, 'sender_person', { id: messageId, vehicleId }, sender_person_encrypted)
  const { person, network } = splitSender(sender)
  return {
    blockSecret: person && getBlockSecret(keyring, person),
    networkSecret: network && getBlockSecret(keyring, network),
    isUrgent: reason !== null && URGENT_REASONS.includes(reason),
  }
}

/**
 * Notifies people of a message, each once. Its notifications are all of its own moment, so that they do not say later who had
 * the car.
 */
async function notifyPeople(
  tx: Transaction,
  messageId: string,
  { plate, vehicle_id, inserted_at }: EscalatedMessage,
  userIds: string[],
  type: NotificationType,
  mail: MailKind,
): Promise<string[]> {
  const data = { plate, message_id: messageId, vehicle_id }
  const at = type === 'message_received' ? { at: new Date(inserted_at) } : {}
  await notify(
    tx,
    userIds.map((userId) => ({ userId, type, data, messageId, ...at })),
  )
  for (const recipientId of userIds.toSorted()) await queueMail(tx, { kind: mail, refId: messageId, recipientId })
  return userIds
}

/** Steps are precise to about a second: a process may die between the commit of a send and its hint. */
const POLL_INTERVAL_MS = SECOND_MS
const WAKE_DELAY_MS = 20
const MAX_IN_FLIGHT = 4
const STOP_TIMEOUT_MS = 15 * SECOND_MS

/**
 * Starts doing what is due about messages to vehicles of several people (decision vehicle-people). Nothing of it is in memory: a worker
 * that stops or is killed leaves its steps to the others.
 *
 * @param now the time by which steps are due
 */
export function startEscalationWorker(
  context: Pick<AppContext, 'db' | 'keyring' | 'log' | 'live' | 'outbox'>,
  { now = () => new Date() }: { now?: () => Date } = {},
): BackgroundJob {
  const { db, log, live } = context
  const inProgress = new Set<string>()

  async function handle(due: DueStep): Promise<void> {
    try {
      await escalateMessage(context, due, now())
    } catch (error) {
      log.error({ error: describeError(error) }, 'not everybody could be notified of a message; it is tried again')
    } finally {
      inProgress.delete(due.messageId)
    }
  }

  async function lease(limit: number) {
    const due = await listDueSteps(db, now(), limit + inProgress.size)
    const leases = due.filter(({ messageId }) => !inProgress.has(messageId)).slice(0, limit)
    for (const { messageId } of leases) inProgress.add(messageId)
    return { leases, mayHaveMore: leases.length === limit }
  }

  const worker = startLeaseWorker<DueStep>(log, {
    work: 'steps',
    source: 'the steps of escalations',
    queues: [{ pollMs: POLL_INTERVAL_MS, lease }],
    handle,
    maxInFlight: MAX_IN_FLIGHT,
    wakeDelayMs: WAKE_DELAY_MS,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  })
  const unsubscribe = live.subscribeAll(() => worker.wake())
  return {
    async stop() {
      unsubscribe()
      await worker.stop()
    },
  }
}
