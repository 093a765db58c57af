import { faultOf } from './http/errors.ts'
import type { Logger } from './parts.ts'

export const MINUTE_MS = 60 * 1000
export const HOUR_MS = 60 * MINUTE_MS

/** Work that goes on beside the requests. */
export type Repeated = {
  /** Starts no more, and waits for what is being done. */
  stop(): Promise<void>
}

/**
 * Does some work now and every so often, until stopped. What failed is tried again the next time, and work that takes
 * longer than that is not done twice at once.
 *
 * @param what the work, as the log names it
 * @param work may end early when its signal says that it is stopped
 */
export function repeat(
  log: Logger,
  what: string,
  everyMs: number,
  work: (stopping: AbortSignal) => Promise<unknown>,
): Repeated {
  const stopping = new AbortController()
  let running: Promise<unknown> | undefined
  const begin = () => {
    running ??= work(stopping.signal)
      .catch((error: unknown) => log.warn({ fault: faultOf(error) }, `${what} failed; it is tried again`))
      .finally(() => {
        running = undefined
      })
  }
  begin()
  const timer = setInterval(begin, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
