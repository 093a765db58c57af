/**
 * Returns a function that runs `maxRunning` jobs at a time. Those that wait take turns by user: everybody's first job comes
 * before anybody's second, so that a user with many delays nobody. For work that fills a processor. What waits is bounded
 * by the caller, for example by the slots of each user.
 */
export function createFairQueue(maxRunning: number) {
  let running = 0
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
    start!() // the job that ended hands over its place
  }

  return async function run<T>(userId: string, job: () => Promise<T>): Promise<T> {
    if (running < maxRunning) running++
    else {
      await new Promise<void>((resolve) => {
        const jobs = waiting.get(userId)
        if (jobs) jobs.push(resolve)
        else waiting.set(userId, [resolve])
      })
    }
    try {
      return await job()
    } finally {
      startNext()
    }
  }
}
