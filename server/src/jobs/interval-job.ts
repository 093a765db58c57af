import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'

/** Work that goes on beside the requests. */
export type BackgroundJob = {
  /** Starts no more, and waits for what is being done. */
  stop(): Promise<void>
}

/**
 * Does some work now and every so often, until stopped. What failed is tried again the next time, and work that takes
 * longer than that is not done twice at once.
 *
 * @param name the work, as the log names it
 * @param task may end early when its signal says that it is stopped
 */
export function startIntervalJob(
  log: Logger,
  name: string,
  intervalMs: number,
  task: (stopping: AbortSignal) => Promise<unknown>,
): BackgroundJob {
  const stopping = new AbortController()
  let running: Promise<unknown> | undefined
  const runOnce = () => {
    running ??= task(stopping.signal)
      .catch((error: unknown) => log.warn({ fault: describeError(error) }, `${name} failed; it is tried again`))
      .finally(() => {
        running = undefined
      })
  }
  runOnce()
  const timer = setInterval(runOnce, intervalMs)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
