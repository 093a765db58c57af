import { retryDelayMs } from '../email/worker.ts'
import { faultOf } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import type { Deliver, PushEnd } from './deliver.ts'
import { forgetGone } from './device-queries.ts'
import { type Claim, claimDevices, type Lease, markDone, markLater, notePushed } from './queries.ts'
import { writePushes } from './write-pushes.ts'

const SECOND_MS = 1000
/** Hints are gathered this long, so that a storm of messages costs a few statements and not one each. */
const GATHER_MS = 50
const RETRIES_EVERY_MS = SECOND_MS
/** Makes up for lost hints: a process that died after the commit, a connection that was away. */
const SWEEP_EVERY_MS = 30 * SECOND_MS
const IN_FLIGHT = 10
// the rest is always free for fresh news: services that stall cannot take all places
const RETRIES_IN_FLIGHT = 5
const PEOPLE_AT_ONCE = 500
const RETRY_BASE_MS = 5 * SECOND_MS
/** What comes meanwhile waits with what failed, and may be urgent. */
const RETRY_MOST_MS = 300 * SECOND_MS
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
  parts: Pick<Parts, 'db' | 'keyring' | 'log' | 'live'>,
  deliver: Deliver,
  { retryBaseMs = RETRY_BASE_MS }: { retryBaseMs?: number } = {},
): PushWorker {
  const { db, log, live } = parts
  const withNews = new Set<string>()
  const inFlight = { fresh: new Set<Promise<void>>(), retries: new Set<Promise<void>>() }
  let due = { retries: true, sweep: true }
  let stopped = false
  let round: Promise<void> | undefined
  let gathering: NodeJS.Timeout | undefined

  /** Delivers what a device needs; what could not be delivered now is put off, with what comes after it. */
  async function serve(lease: Lease): Promise<void> {
    for (const { payload, number } of await writePushes(parts, lease)) {
      const end = await deliver(lease.device, payload)
      report(lease, end)
      if (end.state === 'gone') return forgetGone(db, lease.session_id, lease.device.endpoint)
      if (end.state === 'deferred') {
        const delayMs = Math.min(retryDelayMs(lease.tries, retryBaseMs, Math.random()), RETRY_MOST_MS)
        return markLater(db, lease, Math.max(end.afterMs ?? 0, delayMs))
      }
      if (!(await notePushed(db, lease, number))) return // the device is gone, or another worker's
    }
    await markDone(db, lease)
  }

  function report({ tries }: Lease, end: PushEnd) {
    if (end.state === 'refused' || end.state === 'deferred') log.warn({ tries, word: end.word }, `push ${end.state}`)
  }

  async function handle(lease: Lease): Promise<void> {
    try {
      await serve(lease)
    } catch (error) {
      log.error({ fault: faultOf(error) }, 'a push could not be written; it comes back with its lease')
    }
    withNews.add(lease.user_id) // what came meanwhile found the device held
    wake()
  }

  /** Starts as many as there is place for; answers whether there may be more. */
  async function fill(queue: keyof typeof inFlight, claim: Claim, places: number): Promise<boolean> {
    if (places <= 0) return true
    const leases = await claimDevices(db, claim, places)
    for (const lease of leases) {
      const running: Promise<void> = handle(lease).finally(() => void inFlight[queue].delete(running))
      inFlight[queue].add(running)
    }
    return leases.length === places
  }

  const free = () => IN_FLIGHT - inFlight.fresh.size - inFlight.retries.size

  async function run(): Promise<void> {
    const userIds = [...withNews].slice(0, PEOPLE_AT_ONCE)
    const { retries, sweep } = due
    due = { retries: false, sweep: false }
    for (const id of userIds) withNews.delete(id)
    let more = false
    try {
      if (userIds.length > 0 && (await fill('fresh', { of: 'people', userIds }, free()))) {
        for (const id of userIds) withNews.add(id)
        more = true
      }
      if (retries) {
        const places = Math.min(free(), RETRIES_IN_FLIGHT - inFlight.retries.size)
        due.retries ||= await fill('retries', { of: 'retries' }, places)
      }
      if (sweep) due.sweep ||= await fill('fresh', { of: 'all' }, free())
    } catch (error) {
      for (const id of userIds) withNews.add(id)
      due.sweep ||= sweep
      log.warn({ fault: faultOf(error) }, 'what is to be pushed could not be read')
      return // the next tick tries again
    }
    // full: whoever ends next wakes
    if (!more && withNews.size > 0) wake()
  }

  function wake() {
    if (stopped) return
    gathering ??= setTimeout(() => {
      gathering = undefined
      if (round) return void round.then(wake)
      round = run().finally(() => {
        round = undefined
      })
    }, GATHER_MS)
  }

  const unwatch = live.watch((userId) => {
    withNews.add(userId)
    wake()
  })
  const ticking = setInterval(() => {
    due.retries = true
    wake()
  }, RETRIES_EVERY_MS)
  const sweeping = setInterval(() => {
    due.sweep = true
  }, SWEEP_EVERY_MS)
  wake()

  return {
    async stop() {
      stopped = true
      unwatch()
      clearInterval(ticking)
      clearInterval(sweeping)
      clearTimeout(gathering)
      await round
      const all = Promise.all([...inFlight.fresh, ...inFlight.retries])
      let late: NodeJS.Timeout | undefined
      const tooLong = new Promise((resolve) => {
        late = setTimeout(resolve, STOP_TIMEOUT_MS)
      })
      await Promise.race([all, tooLong])
      clearTimeout(late)
    },
  }
}
