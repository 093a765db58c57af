export { DAY_MS, DAY_S, HOUR_MS, HOUR_S, MINUTE_MS, MINUTE_S, SECOND_MS } from '#contract/time.ts'

/** A promise did not settle in time. */
export class TimeoutError extends Error {
  override name = 'TimeoutError'
}

/** Returns the promise's result, or rejects with a TimeoutError after `timeoutMs`. The work behind the promise goes on. */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`not settled within ${timeoutMs} ms`)), timeoutMs)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
