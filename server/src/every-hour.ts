import { faultOf } from './http/errors.ts'
import type { Logger } from './parts.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Does some work now and every hour, until stopped. What failed is tried again an hour later.
 *
 * @param what the work, as the log names it
 */
export function everyHour(log: Logger, what: string, work: () => Promise<void>): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const begin = () => {
    running = work().catch((error: unknown) => log.warn({ fault: faultOf(error) }, `${what} failed; it is tried again`))
  }
  begin()
  const timer = setInterval(begin, HOUR_MS)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
