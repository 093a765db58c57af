import type { AppContext } from '../context.ts'
import type { BackgroundJob } from '../jobs/interval-job.ts'
import { type LeaseBatch, retryDelayMs, startLeaseWorker } from '../jobs/lease-worker.ts'
import { describeError } from '../log/safe-error.ts'
import { quietUntil } from '../quiet-hours.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'
import { buildPushes } from './build-pushes.ts'
import {
  type ClaimTarget,
  type DeviceLease,
  leaseDevices,
  listWaitingUsers,
  markDone,
  markPushesDeferred,
  postponePushes,
  recordPushed,
  renewPushLeases,
} from './delivery-queries.ts'
import type { SendPush } from './send-push.ts'
import { createServiceSlots } from './service-slots.ts'
import { deleteGoneSubscription } from './subscription-queries.ts'

/** Collects hints for this long, so that a burst of messages costs a few statements instead of one each. */
const WAKE_DELAY_MS = 50
const POLL_INTERVAL_MS = SECOND_MS
/** Makes up for lost hints, after a process that died between commit and hint or a lost connection. */
const SWEEP_INTERVAL_MS = 30 * SECOND_MS
const MAX_IN_FLIGHT = 30
// leaves slots for the others: a push service that hangs keeps each of its own for as long as a push may take
const MAX_IN_FLIGHT_OF_SERVICE = 10
// leaves slots for new notifications
const MAX_RETRIES_IN_FLIGHT = 15
const MAX_USERS_PER_ROUND = 500
/** The next sweep finds those beyond. */
const MAX_WAITING_PER_SWEEP = 5_000
const RETRY_BASE_MS = 5 * SECOND_MS
/** Keeps this short, because newer notifications for the device wait as well, and may be urgent. */
const MAX_RETRY_DELAY_MS = 5 * MINUTE_MS
const STOP_TIMEOUT_MS = 15 * SECOND_MS

/**
 * Starts pushing new notifications to the users' devices (decision device-notifications). Each push that a service accepted is recorded
 * at once: none is lost, and one is sent twice only if a worker dies in between. The browser then shows it once, by its
 * tag.
 *
 * @param retryBaseMs the delay before the first retry of a device; each further one doubles it
 * @param now the time by which quiet hours are judged
 */
export function startPushWorker(
  context: Pick<AppContext, 'config' | 'db' | 'keyring' | 'log' | 'live'>,
  sendPush: SendPush,
  { retryBaseMs = RETRY_BASE_MS, now = () => new Date() }: { retryBaseMs?: number; now?: () => Date } = {},
): BackgroundJob {
  const { db, log, live } = context
  const slots = createServiceSlots(MAX_IN_FLIGHT_OF_SERVICE)
  const pendingUserIds = new Set<string>()
  /** By service: whose devices wait until a slot of it is free. */
  const waitingUserIds = new Map<string, Set<string>>()

  /** Sends what a device needs. A push that cannot be delivered now is put off together with those after it. */
  async function deliver(lease: DeviceLease): Promise<void> {
    const moment = now()
    const until = quietUntil(lease, moment)
    if (until && !(await postponePushes(db, lease, until.getTime() - moment.getTime()))) return
    for (const { payload, number } of await buildPushes(context, lease, until !== null)) {
      const result = await sendPush(lease.subscription, payload)
      if ('reason' in result) log.warn({ tries: lease.tries, reason: result.reason }, `push ${result.state}`)
      if (result.state === 'gone') {
        await deleteGoneSubscription(db, lease.session_id, lease.subscription.endpoint)
        return
      }
      if (result.state === 'deferred') {
        const delayMs = Math.min(retryDelayMs(lease.tries, retryBaseMs, Math.random()), MAX_RETRY_DELAY_MS)
        await markPushesDeferred(db, lease, Math.max(result.retryAfterMs ?? 0, delayMs))
        return
      }
      if (!(await recordPushed(db, lease, number, until !== null))) return // the device is gone, or another worker has it
    }
    await markDone(db, lease, until !== null)
  }

  async function handle(lease: DeviceLease): Promise<void> {
    try {
      await deliver(lease)
    } catch (error) {
      log.error({ error: describeError(error) }, 'a push could not be written; it comes back with its lease')
    }
    slots.release(lease.service)
    pendingUserIds.add(lease.user_id) // for newer notifications, which found the device leased
    worker.wake()
  }

  /** Leases devices as far as their services have slots, and remembers whose were left out. */
  async function lease(claim: ClaimTarget, limit: number): Promise<LeaseBatch<DeviceLease>> {
    const { leftOut, ...batch } = await slots.fill(limit, (count, full) => leaseDevices(db, claim, count, full))
    if (leftOut.length > 0) {
      await rememberWaiting(claim, leftOut).catch((error) =>
        log.warn({ error: describeError(error) }, 'devices without a slot wait for the next sweep'),
      )
    }
    return batch
  }

  async function rememberWaiting(claim: ClaimTarget, fullServices: string[]): Promise<void> {
    if (claim.of === 'retries') return // which are polled every second
    for (const { service, user_id } of await listWaitingUsers(db, claim, fullServices, MAX_WAITING_PER_SWEEP)) {
      const userIds = waitingUserIds.get(service) ?? new Set()
      waitingUserIds.set(service, userIds.add(user_id))
    }
  }

  /** Makes pending whom slots are free for again, not many more at a time. Returns whether there are others of them. */
  function resumeWaiting(): boolean {
    const full = slots.listFull()
    let hasMore = false
    for (const [service, userIds] of waitingUserIds) {
      if (full.includes(service)) continue
      for (const id of [...userIds].slice(0, MAX_IN_FLIGHT_OF_SERVICE)) {
        pendingUserIds.add(id)
        userIds.delete(id)
      }
      if (userIds.size > 0) hasMore = true
      else waitingUserIds.delete(service)
    }
    return hasMore
  }

  async function leaseForPendingUsers(limit: number): Promise<LeaseBatch<DeviceLease>> {
    const hasMoreWaiting = resumeWaiting()
    const userIds = [...pendingUserIds].slice(0, MAX_USERS_PER_ROUND)
    if (userIds.length === 0) return { leases: [], mayHaveMore: false }
    for (const id of userIds) pendingUserIds.delete(id) // if the statement fails, the sweep finds them
    const { leases, mayHaveMore } = await lease({ of: 'users', userIds }, limit)
    if (mayHaveMore) for (const id of userIds) pendingUserIds.add(id)
    return { leases, mayHaveMore: pendingUserIds.size > 0 || hasMoreWaiting }
  }

  const worker = startLeaseWorker<DeviceLease>(log, {
    work: 'pushes',
    source: 'what is to be pushed',
    queues: [
      { pollMs: POLL_INTERVAL_MS, lease: leaseForPendingUsers },
      {
        maxInFlight: MAX_RETRIES_IN_FLIGHT,
        pollMs: POLL_INTERVAL_MS,
        ignoresWakes: true,
        lease: (limit) => lease({ of: 'retries' }, limit),
      },
      { pollMs: SWEEP_INTERVAL_MS, ignoresWakes: true, lease: (limit) => lease({ of: 'all' }, limit) },
    ],
    handle,
    renewal: { renew: (leases) => renewPushLeases(db, leases), ping: () => db`select 1` },
    maxInFlight: MAX_IN_FLIGHT,
    wakeDelayMs: WAKE_DELAY_MS,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  })
  const unsubscribe = live.subscribeAll((userId) => {
    pendingUserIds.add(userId)
    worker.wake()
  })
  return {
    async stop() {
      unsubscribe()
      await worker.stop()
    },
  }
}
