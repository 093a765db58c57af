import { refuse } from '../refusal.ts'

const RETRY_AFTER_S = 5

/**
 * Returns a function that runs `maxRunning` jobs at a time. Those that wait take turns by user: everybody's first job comes
 * before anybody's second, so that a user with many delays nobody. For work that fills a processor. How many of one user wait is
 * bounded by the caller, for example by the slots of each user.
 *
 * @param maxWaiting how many may wait; it refuses with `busy` beyond that, and `isFull` tells so before there is a job
 */
export function createFairQueue(maxRunning: number, maxWaiting = Infinity) {
  let running = 0
  let waitingCount = 0
  // in the order in which their turns come; none is empty
  const waiting = new Map<string, (() => void)[]>()

  const startNext = () => {
    const [next] = waiting
    if (!next) {
      running--
      return
    }
    const [userId, jobs] = next
    waiting.delete(userId)
    const [start, ...rest] = jobs
    if (rest.length > 0) waiting.set(userId, rest)
    start!() // the job that ended hands over its slot
  }

  const isFull = () => running >= maxRunning && waitingCount >= maxWaiting

  const run = async <T>(userId: string, job: () => Promise<T>): Promise<T> => {
    if (isFull()) refuse('busy', { retryAfterS: RETRY_AFTER_S })
    if (running < maxRunning) running++
    else {
      waitingCount++
      await new Promise<void>((resolve) => {
        const jobs = waiting.get(userId)
        if (jobs) jobs.push(resolve)
        else waiting.set(userId, [resolve])
      })
      waitingCount--
    }
    try {
      return await job()
    } finally {
      startNext()
    }
  }
  return Object.assign(run, { isFull })
}
