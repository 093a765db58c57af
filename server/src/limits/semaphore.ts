import { refuse } from '../refusal.ts'

/**
 * Returns a function that runs `maxRunning` jobs at a time and lets `maxQueued` more wait; beyond that it refuses with
 * `busy`. For work that fills a processor or memory: hashing, images.
 */
export function createSemaphore(maxRunning: number, maxQueued: number) {
  let running = 0
  const waiting: (() => void)[] = []

  return async function run<T>(job: () => Promise<T>): Promise<T> {
    if (running >= maxRunning) {
      if (waiting.length >= maxQueued) refuse('busy', { retryAfterS: 2 })
      await new Promise<void>((resolve) => waiting.push(resolve)) // the job that ends hands over its slot
    } else running++
    try {
      return await job()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
