import { setTimeout as delay } from 'node:timers/promises'
import { faultOf } from '../http/errors.ts'
import type { Logger } from '../parts.ts'
import { EmbeddedError, type EmbeddedServer } from './embedded.ts'

const CHECK_MS = 1000
const LONGEST_PAUSE_MS = 30_000
/** What has run for so long starts anew at once when it dies; what dies sooner waits as if it had not started. */
const STEADY_MS = 60_000

/**
 * Starts an embedded PostgreSQL again when it dies (killed, a full disk), within two seconds at first, then after pauses
 * that grow to 30 s. Each reason for a failure is logged once an outage.
 *
 * @returns what ends it: from then on nothing is started
 */
export function keepRunning(server: Pick<EmbeddedServer, 'isAlive' | 'startAgain'>, log: Logger): () => void {
  const ending = new AbortController()
  void watch(server, log, ending.signal)
  return () => ending.abort()
}

async function watch({ isAlive, startAgain }: Parameters<typeof keepRunning>[0], log: Logger, signal: AbortSignal) {
  const told = new Set<string>()
  let pause = 0
  let [up, tried] = [true, performance.now()]
  while (await waited(CHECK_MS, signal)) {
    if (await isAlive()) continue
    if (performance.now() - tried > STEADY_MS) {
      told.clear()
      pause = 0
    }
    if (up) log.error('the embedded PostgreSQL has ended; it is started again')
    if (!(await waited(pause, signal))) return
    pause = Math.min(pause * 2 || CHECK_MS, LONGEST_PAUSE_MS)
    up = await startAgain(signal).then(
      () => true,
      (error: unknown) => {
        if (!signal.aborted) tellOnce(error, told, log)
        return false
      },
    )
    if (up) log.warn('the embedded PostgreSQL runs again')
    tried = performance.now()
  }
}

function tellOnce(error: unknown, told: Set<string>, log: Logger) {
  const why = error instanceof EmbeddedError ? { reason: error.message } : { fault: faultOf(error) }
  // some name a file by the process id, another one each time
  const kind = JSON.stringify(why).replaceAll(/\d+/g, '')
  if (told.has(kind)) return
  told.add(kind)
  log.error(why, 'the embedded PostgreSQL does not start; it is tried again')
}

/** False when the signal came first. */
const waited = (ms: number, signal: AbortSignal): Promise<boolean> =>
  delay(ms, true, { signal, ref: false }).catch(() => false)
