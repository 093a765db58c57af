import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'
import { MINUTE_MS, SECOND_MS, withTimeout } from '../time.ts'

/** How long a renewed lease lasts from each renewal: a row whose worker was killed waits about so long for another. */
export const LEASE_DURATION_S = 10
/** Several tries to renew fit into a lease. */
export const RENEW_INTERVAL_MS = 2 * SECOND_MS
/** Long enough for a live worker to renew its leases, and to record what it has done, once the database is back. */
export const LEASE_HOLDERS_FIRST_MS = 3 * SECOND_MS
const MAX_RETRY_DELAY_MS = 30 * MINUTE_MS

export type LeaseQueue<Lease> = {
  /** Limits the leases of this queue in flight, so that slots stay free for the other queues. */
  maxInFlight?: number
  /** Reads the queue this often without a wake: another process may have caused work, or a lease may have expired. */
  pollMs: number
  /** Leaves the queue out at a wake, so that it is only polled. */
  ignoresWakes?: boolean
  lease(limit: number): Promise<LeaseBatch<Lease>>
}

/** With `mayHaveMore` the queue is read again as soon as a slot is free. */
export type LeaseBatch<Lease> = { leases: Lease[]; mayHaveMore: boolean }

export type LeaseWorker = {
  /** Reads the queues soon, because there may be work. */
  wake(): void
  /** Takes no more leases and waits for the work in flight, at most `stopTimeoutMs`. The rest is left to its leases. */
  stop(): Promise<void>
}

export type LeaseRenewal<Lease> = {
  /** Makes leases last for `LEASE_DURATION_S` from now on, those that another worker has taken over excepted. */
  renew(leases: Lease[]): Promise<unknown>
  /** Rejects while the database is away. */
  ping(): Promise<unknown>
}

type Options<Lease> = {
  /** What the leases are for and where they come from, as the log names them: 'mails' from 'the outbox'. */
  work: string
  source: string
  /** In the order in which they are read. */
  queues: LeaseQueue<Lease>[]
  /** Does the work of one lease and records how it ended. Must not reject. */
  handle(lease: Lease): Promise<void>
  /** Keeps leases that last `LEASE_DURATION_S` for as long as the work takes. */
  renewal?: LeaseRenewal<Lease>
  maxInFlight: number
  /** Collects wakes for this long, so that many of them share one round. */
  wakeDelayMs?: number
  stopTimeoutMs: number
}

/**
 * Starts a worker that leases rows from queues in the database and handles several leases at once. Any number of
 * workers, in any number of processes, may share the queues: no other worker gets a row until its lease expires, and
 * another one gets it when its worker has died. When a queue cannot be read, all of them are read again at the next
 * poll.
 *
 * Leases in flight are renewed. While the database is away they expire although their workers live, so that the others
 * let them go first when it is back (decision email-outbox).
 */
export function startLeaseWorker<Lease>(
  log: Logger,
  { work, source, queues, handle, renewal, maxInFlight, wakeDelayMs = 0, stopTimeoutMs }: Options<Lease>,
): LeaseWorker {
  const due = new Set(queues)
  const inFlight = new Map<Promise<void>, { lease: Lease; queue: LeaseQueue<Lease>; isNew: boolean }>()
  let stopped = false
  let wasAway = false
  let renewing: Promise<void> | undefined
  let leaseHoldersFirst: NodeJS.Timeout | undefined
  let currentRound: Promise<void> | undefined
  let roundTimer: NodeJS.Timeout | undefined

  async function fillFreeSlots(queue: LeaseQueue<Lease>): Promise<void> {
    const inFlightOfQueue = inFlight.values().filter((other) => other.queue === queue)
    const freeOfQueue = (queue.maxInFlight ?? maxInFlight) - [...inFlightOfQueue].length
    const freeSlots = Math.min(maxInFlight - inFlight.size, freeOfQueue)
    if (stopped || freeSlots <= 0) return
    due.delete(queue)
    const { leases, mayHaveMore } = await queue.lease(freeSlots)
    if (mayHaveMore) due.add(queue)
    if (mayHaveMore && leases.length < freeSlots) scheduleRound()
    for (const lease of leases) {
      const running = handle(lease).finally(() => {
        inFlight.delete(running)
        scheduleRound()
      })
      inFlight.set(running, { lease, queue, isNew: true })
    }
  }

  /** Returns whether lease holders come first. */
  async function letLeaseHoldersGoFirst({ ping }: LeaseRenewal<Lease>): Promise<boolean> {
    if (wasAway) {
      await ping()
      wasAway = false
      leaseHoldersFirst = setTimeout(() => {
        leaseHoldersFirst = undefined
        scheduleRound()
      }, LEASE_HOLDERS_FIRST_MS)
    }
    return leaseHoldersFirst !== undefined
  }

  async function runRound(): Promise<void> {
    try {
      if (renewal && (await letLeaseHoldersGoFirst(renewal))) return
      for (const queue of queues) if (due.has(queue)) await fillFreeSlots(queue)
    } catch (error) {
      wasAway = true
      for (const queue of queues) due.add(queue) // for the next poll
      log.warn({ error: describeError(error) }, `${source} could not be read`)
    }
  }

  function scheduleRound() {
    if (stopped) return
    roundTimer ??= setTimeout(() => {
      roundTimer = undefined
      // the current round may have read a queue before it became due
      if (currentRound) return void currentRound.then(scheduleRound)
      currentRound = runRound().finally(() => {
        currentRound = undefined
      })
    }, wakeDelayMs)
  }

  /** Renews what takes long: work that is done within an interval costs no statement. */
  function renewLeases({ renew }: LeaseRenewal<Lease>) {
    const old = [...inFlight.values().filter(({ isNew }) => !isNew)]
    for (const entry of inFlight.values()) entry.isNew = false
    if (old.length === 0) return
    renewing ??= renew(old.map(({ lease }) => lease))
      .catch((error) => {
        // with every slot taken no queue was read meanwhile
        wasAway = true
        log.warn({ error: describeError(error) }, `leases of ${work} could not be renewed`)
      })
      .then(() => {
        renewing = undefined
      })
  }

  const readSoon = (queue: LeaseQueue<Lease>) => {
    due.add(queue)
    scheduleRound()
  }
  const pollTimers = queues.map((queue) => setInterval(() => readSoon(queue), queue.pollMs))
  const renewTimer = renewal && setInterval(() => renewLeases(renewal), RENEW_INTERVAL_MS)
  scheduleRound()

  return {
    wake: () => queues.filter(({ ignoresWakes }) => !ignoresWakes).forEach(readSoon),
    async stop() {
      stopped = true
      for (const timer of [roundTimer, ...pollTimers]) clearTimeout(timer)
      await currentRound
      clearTimeout(leaseHoldersFirst)
      await withTimeout(Promise.all(inFlight.keys()), stopTimeoutMs).catch(() =>
        log.warn(`${work} in flight were left to their leases`),
      )
      clearInterval(renewTimer)
      await renewing
    },
  }
}

/**
 * Returns the delay before the next try. It doubles with every try, up to 30 minutes, and is spread by ±20 % so that
 * the retries of one outage do not all come at once.
 */
export const retryDelayMs = (attempts: number, baseMs: number, random: number): number =>
  Math.min(baseMs * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS) * (0.8 + 0.4 * random)
