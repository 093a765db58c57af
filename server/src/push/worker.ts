import type { AppContext } from '../context.ts'
import { retryDelayMs } from '../email/worker.ts'
import { describeError } from '../log/safe-error.ts'
import { MINUTE_MS, SECOND_MS, withTimeout } from '../time.ts'
import { buildPushes } from './build-pushes.ts'
import {
  type ClaimTarget,
  type DeviceLease,
  leaseDevices,
  markDeferred,
  markDone,
  recordPushed,
} from './delivery-queries.ts'
import type { PushResult, SendPush } from './send-push.ts'
import { deleteGoneSubscription } from './subscription-queries.ts'

/** Hints are gathered this long, so that a storm of messages costs a few statements and not one each. */
const WAKE_DELAY_MS = 50
const RETRY_INTERVAL_MS = SECOND_MS
/** Makes up for lost hints: a process that died after the commit, a connection that was away. */
const SWEEP_INTERVAL_MS = 30 * SECOND_MS
const MAX_IN_FLIGHT = 10
// the rest is always free for fresh news: services that stall cannot take all places
const MAX_RETRIES_IN_FLIGHT = 5
const MAX_USERS_PER_ROUND = 500
const RETRY_BASE_MS = 5 * SECOND_MS
/** What comes meanwhile waits with what failed, and may be urgent. */
const MAX_RETRY_DELAY_MS = 5 * MINUTE_MS
const STOP_TIMEOUT_MS = 15 * SECOND_MS

export type PushWorker = {
  /** Takes no more devices and waits for pushes in flight, at most 15 s; the rest comes back when its lease ends. */
  stop(): Promise<void>
}

/**
 * Pushes what is new to people's devices (decision 0036). Any number of workers, in any number of processes, may share
 * a database: a device is held under a lease, and each push that was taken is noted at once. So nothing is lost, and a
 * push comes twice only if a worker dies between the service's yes and its note; the browser then shows it once, by its tag.
 *
 * @param retryBaseMs the first delay before a device is tried again; later ones double
 */
export function startPushWorker(
  context: Pick<AppContext, 'db' | 'keyring' | 'log' | 'live'>,
  sendPush: SendPush,
  { retryBaseMs = RETRY_BASE_MS }: { retryBaseMs?: number } = {},
): PushWorker {
  const { db, log, live } = context
  const pendingUserIds = new Set<string>()
  const inFlight = { fresh: new Set<Promise<void>>(), retries: new Set<Promise<void>>() }
  let due = { retries: true, sweep: true }
  let stopped = false
  let currentRound: Promise<void> | undefined
  let wakeTimer: NodeJS.Timeout | undefined

  /** Delivers what a device needs; what could not be delivered now is put off, with what comes after it. */
  async function deliverAll(lease: DeviceLease): Promise<void> {
    for (const { payload, number } of await buildPushes(context, lease)) {
      const end = await sendPush(lease.subscription, payload)
      logFailure(lease, end)
      if (end.state === 'gone') return deleteGoneSubscription(db, lease.session_id, lease.subscription.endpoint)
      if (end.state === 'deferred') {
        const delayMs = Math.min(retryDelayMs(lease.tries, retryBaseMs, Math.random()), MAX_RETRY_DELAY_MS)
        return markDeferred(db, lease, Math.max(end.retryAfterMs ?? 0, delayMs))
      }
      if (!(await recordPushed(db, lease, number))) return // the device is gone, or another worker's
    }
    await markDone(db, lease)
  }

  function logFailure({ tries }: DeviceLease, end: PushResult) {
    if (end.state === 'refused' || end.state === 'deferred') log.warn({ tries, word: end.reason }, `push ${end.state}`)
  }

  async function handle(lease: DeviceLease): Promise<void> {
    try {
      await deliverAll(lease)
    } catch (error) {
      log.error({ fault: describeError(error) }, 'a push could not be written; it comes back with its lease')
    }
    pendingUserIds.add(lease.user_id) // what came meanwhile found the device held
    wake()
  }

  /** Starts as many as there is place for; answers whether there may be more. */
  async function fillQueue(queue: keyof typeof inFlight, claim: ClaimTarget, places: number): Promise<boolean> {
    if (places <= 0) return true
    const leases = await leaseDevices(db, claim, places)
    for (const lease of leases) {
      const running: Promise<void> = handle(lease).finally(() => void inFlight[queue].delete(running))
      inFlight[queue].add(running)
    }
    return leases.length === places
  }

  const freeSlots = () => MAX_IN_FLIGHT - inFlight.fresh.size - inFlight.retries.size

  async function run(): Promise<void> {
    const userIds = [...pendingUserIds].slice(0, MAX_USERS_PER_ROUND)
    const { retries, sweep } = due
    due = { retries: false, sweep: false }
    for (const id of userIds) pendingUserIds.delete(id)
    let more = false
    try {
      if (userIds.length > 0 && (await fillQueue('fresh', { of: 'people', userIds }, freeSlots()))) {
        for (const id of userIds) pendingUserIds.add(id)
        more = true
      }
      if (retries) {
        const places = Math.min(freeSlots(), MAX_RETRIES_IN_FLIGHT - inFlight.retries.size)
        due.retries ||= await fillQueue('retries', { of: 'retries' }, places)
      }
      if (sweep) due.sweep ||= await fillQueue('fresh', { of: 'all' }, freeSlots())
    } catch (error) {
      for (const id of userIds) pendingUserIds.add(id)
      due.sweep ||= sweep
      log.warn({ fault: describeError(error) }, 'what is to be pushed could not be read')
      return // the next tick tries again
    }
    // full: whoever ends next wakes
    if (!more && pendingUserIds.size > 0) wake()
  }

  function wake() {
    if (stopped) return
    wakeTimer ??= setTimeout(() => {
      wakeTimer = undefined
      if (currentRound) return void currentRound.then(wake)
      currentRound = run().finally(() => {
        currentRound = undefined
      })
    }, WAKE_DELAY_MS)
  }

  const unsubscribe = live.subscribeAll((userId) => {
    pendingUserIds.add(userId)
    wake()
  })
  const retryTimer = setInterval(() => {
    due.retries = true
    wake()
  }, RETRY_INTERVAL_MS)
  const sweepTimer = setInterval(() => {
    due.sweep = true
  }, SWEEP_INTERVAL_MS)
  wake()

  return {
    async stop() {
      stopped = true
      unsubscribe()
      clearInterval(retryTimer)
      clearInterval(sweepTimer)
      clearTimeout(wakeTimer)
      await currentRound
      const all = Promise.all([...inFlight.fresh, ...inFlight.retries])
      await withTimeout(all, STOP_TIMEOUT_MS).catch(() => {}) // the rest comes back when its lease ends
    },
  }
}
