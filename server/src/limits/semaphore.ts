import { availableParallelism } from 'node:os'
import { refuse } from '../refusal.ts'

/**
 * Returns a function that runs `maxRunning` jobs at a time and lets `maxQueued` more wait; beyond that it refuses with
 * `busy`. For work that fills a processor or memory: hashing.
 *
 * @param maxReserved how many more may wait that pass `isReserved`; they go before the others
 */
export function createSemaphore(maxRunning: number, maxQueued: number, maxReserved = 0) {
  let running = 0
  const queued: (() => void)[] = []
  const reserved: (() => void)[] = []

  return async function run<T>(job: () => Promise<T>, isReserved = false): Promise<T> {
    if (running >= maxRunning) {
      const [queue, max] = isReserved ? [reserved, maxReserved] : [queued, maxQueued]
      if (queue.length >= max) refuse('busy', { retryAfterS: 2 })
      await new Promise<void>((resolve) => queue.push(resolve)) // the job that ends hands over its slot
    } else running++
    try {
      return await job()
    } finally {
      const next = reserved.shift() ?? queued.shift()
      if (next) next()
      else running--
    }
  }
}

// Slow hashes are computed on the four threads of Node's pool, which also read files and look names up. Together these leave
// one of the threads to them, and the hashes of passwords a processor to those who are signed in (decision overload-protection).

/** How many passwords a process hashes at a time. */
export const PASSWORD_HASH_SLOTS = Math.max(1, Math.min(2, availableParallelism() - 1))
/** How many codes of notes it hashes at a time: apart, so that many attempts with these delay no sign-in. */
export const NOTE_HASH_SLOTS = 1
