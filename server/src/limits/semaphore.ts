import { refuse } from '../refusal.ts'

/**
 * Lets `width` jobs run at a time and `queue` more wait; beyond that callers are refused with `busy`. For work that
 * fills a processor or memory: hashing, images.
 */
export function createSemaphore(maxRunning: number, maxQueued: number) {
  let running = 0
  const waiting: (() => void)[] = []

  return async function run<T>(job: () => Promise<T>): Promise<T> {
    if (running >= maxRunning) {
      if (waiting.length >= maxQueued) refuse('busy', { retryAfterS: 2 })
      await new Promise<void>((resolve) => waiting.push(resolve)) // the one that ends hands its place over
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
