import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'

/** Work that a process does in the background. */
export type BackgroundJob = {
  /** Starts no more work and waits for the work in progress. */
  stop(): Promise<void>
}

/**
 * Runs a task at once and then at an interval, until stopped. A failed run is logged and tried again at the next
 * interval; runs never overlap.
 *
 * @param name names the task in the log
 * @param task may end early when its signal is aborted
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
