import type { Job } from '#contract/job-names.ts'
import type { Db } from '../db/pool.ts'
import type { Logger } from '../log/logger.ts'
import { describeError, errorCode } from '../log/safe-error.ts'
import { SECOND_MS, withTimeout } from '../time.ts'
import { recordJobEnd, recordJobStart } from './run-record.ts'

/** Work that a process does in the background. */
export type BackgroundJob = {
  /** Starts no more work and waits for the work in progress, but not longer than a stop of the process lasts. */
  stop(): Promise<void>
}

/** What a job reports to: the log, and the table that /admin/system shows; without a database the log alone. */
type JobContext = { log: Logger; db?: Db }

/** A job that runs every second is not recorded every time, unless it fails or works again. */
const RECORD_INTERVAL_MS = 30 * SECOND_MS
/** A run can wait for what does not answer, a bucket perhaps. Every job may be cut off: its next run does the same again. */
const STOP_TIMEOUT_MS = 20 * SECOND_MS

/**
 * Runs a task at once and then at an interval, until stopped. A failed run is logged and tried again at the next
 * interval; runs never overlap. When it last ran, and how that went, is recorded (decision process-health).
 *
 * @param name names the task in the log and on /admin/system; what reports to the log alone is no job there
 * @param task may end early when its signal is aborted
 */
export function startIntervalJob(
  { log, db }: JobContext,
  name: Job | 'reporting the process',
  intervalMs: number,
  task: (stopping: AbortSignal) => Promise<unknown>,
): BackgroundJob {
  const stopping = new AbortController()
  let running: Promise<unknown> | undefined
  let recorded: { atMs: number; error: string | null } | undefined

  /** Records nothing while the database is away, which the log says already. */
  const record = (write: (db: Db) => Promise<void>) => db && write(db).catch(() => {})

  const runOnce = async () => {
    const run = { name, everyS: intervalMs / SECOND_MS, startedAt: new Date() }
    const noted = recorded ? undefined : record((to) => recordJobStart(to, run))
    const startedMs = performance.now()
    let error: string | null = null
    try {
      await task(stopping.signal)
    } catch (caught) {
      log.warn({ error: describeError(caught) }, `${name} failed; it is tried again`)
      error = errorCode(caught)
    }
    await noted
    const endedMs = performance.now()
    if (recorded && recorded.error === error && endedMs - recorded.atMs < RECORD_INTERVAL_MS) return
    recorded = { atMs: endedMs, error }
    await record((to) => recordJobEnd(to, run, { tookMs: Math.round(endedMs - startedMs), error }))
  }

  const start = () => {
    running ??= runOnce().finally(() => {
      running = undefined
    })
  }
  start()
  const timer = setInterval(start, intervalMs)
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      if (!running) return
      await withTimeout(running, STOP_TIMEOUT_MS).catch(() => log.warn(`${name} did not end in time`))
    },
  }
}
