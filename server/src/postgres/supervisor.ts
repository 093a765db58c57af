import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'
import { EmbeddedError, type EmbeddedServer } from './embedded-server.ts'

const CHECK_INTERVAL_MS = 1000
const MAX_BACKOFF_MS = 30_000
/** A server that has run this long is restarted without a delay when it dies; one that dies sooner counts as not started. */
const STABLE_AFTER_MS = 60_000

/**
 * Restarts an embedded PostgreSQL when it dies (killed, a full disk): within two seconds at first, then after delays that grow
 * to 30 s. Logs each reason for a failure once per outage.
 *
 * @returns a function that ends the supervision; from then on nothing is restarted
 */
export function supervise(server: Pick<EmbeddedServer, 'isAlive' | 'restart'>, log: Logger): () => void {
  const controller = new AbortController()
  void superviseLoop(server, log, controller.signal)
  return () => controller.abort()
}

async function superviseLoop({ isAlive, restart }: Parameters<typeof supervise>[0], log: Logger, signal: AbortSignal) {
  const reported = new Set<string>()
  let backoffMs = 0
  let [up, lastStartAt] = [true, performance.now()]
  while (await delayUnlessAborted(CHECK_INTERVAL_MS, signal)) {
    if (await isAlive()) continue
    if (performance.now() - lastStartAt > STABLE_AFTER_MS) {
      reported.clear()
      backoffMs = 0
    }
    if (up) log.error('the embedded PostgreSQL has ended; it is started again')
    if (!(await delayUnlessAborted(backoffMs, signal))) return
    backoffMs = Math.min(backoffMs * 2 || CHECK_INTERVAL_MS, MAX_BACKOFF_MS)
    up = await restart(signal).then(
      () => true,
      (error: unknown) => {
        if (!signal.aborted) logOnce(error, reported, log)
        return false
      },
    )
    if (up) log.warn('the embedded PostgreSQL runs again')
    lastStartAt = performance.now()
  }
}

function logOnce(error: unknown, reported: Set<string>, log: Logger) {
  const details = error instanceof EmbeddedError ? { reason: error.message } : { error: describeError(error) }
  // some reasons contain a process id, which differs each time
  const fingerprint = JSON.stringify(details).replaceAll(/\d+/g, '')
  if (reported.has(fingerprint)) return
  reported.add(fingerprint)
  log.error(details, 'the embedded PostgreSQL does not start; it is tried again')
}

/** Waits; returns false when the signal aborts first. */
const delayUnlessAborted = (ms: number, signal: AbortSignal): Promise<boolean> =>
  delay(ms, true, { signal, ref: false }).catch(() => false)
