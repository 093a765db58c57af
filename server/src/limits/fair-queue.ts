import { refuse } from '../refusal.ts'

/** Those who wait, in the order in which their turns come; nobody is in it without a job. */
type Line = { max: number; count: number; jobs: Map<string | null, (() => void)[]> }

function takeNext(line: Line): (() => void) | undefined {
  const [next] = line.jobs
  if (!next) return undefined
  const [who, [start, ...rest]] = next
  line.jobs.delete(who)
  if (rest.length > 0) line.jobs.set(who, rest)
  line.count--
  return start
}

/**
 * Returns a function that runs `maxRunning` jobs at a time. Those that wait take turns by user: everybody's first job comes
 * before anybody's second, so that a user with many delays nobody. For work that fills a processor or memory. How many of one user wait is
 * bounded by the caller, for example by the slots of each user; jobs of nobody in particular (null) are done in the order in which they came.
 *
 * @param maxWaiting how many may wait; it refuses with `busy` beyond that, and `isFull` tells so before there is a job
 * @param maxReserved how many more may wait that pass `isReserved`; they go before the others
 */
export function createFairQueue(maxRunning: number, { maxWaiting = Infinity, maxReserved = 0, retryAfterS = 5 } = {}) {
  let running = 0
  const waiting: Line = { max: maxWaiting, count: 0, jobs: new Map() }
  const reserved: Line = { max: maxReserved, count: 0, jobs: new Map() }

  const run = async <T>(who: string | null, job: () => Promise<T>, isReserved = false): Promise<T> => {
    const line = isReserved ? reserved : waiting
    if (running < maxRunning) running++
    else {
      if (line.count >= line.max) refuse('busy', { retryAfterS })
      line.count++
      await new Promise<void>((start) => line.jobs.set(who, [...(line.jobs.get(who) ?? []), start]))
    }
    try {
      return await job()
    } finally {
      const startNext = takeNext(reserved) ?? takeNext(waiting)
      if (startNext)
        startNext() // it gets the slot of the job that ended
      else running--
    }
  }
  return Object.assign(run, { isFull: () => running >= maxRunning && waiting.count >= waiting.max })
}
