import type { Pool } from '../db/pool.ts'
import { faultOf } from '../http/errors.ts'
import { deleteOldCounters } from '../http/rate-limit.ts'
import type { Parts } from '../parts.ts'
import { deleteStale } from './queries.ts'

const EVERY_MS = 60 * 60 * 1000

/** Removes ended links, sign-ups nobody confirmed, sleeping sessions and old counters. May run in several processes at once. */
export async function tidyAccounts(db: Pool): Promise<void> {
  await deleteStale(db)
  await deleteOldCounters(db)
}

/** Tidies now and every hour, until stopped. */
export function startAccountJanitor({ db, log }: Pick<Parts, 'db' | 'log'>): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const tidy = () => {
    running = tidyAccounts(db).catch((error: unknown) =>
      log.warn({ fault: faultOf(error) }, 'tidying accounts failed; it is tried again'),
    )
  }
  tidy()
  const timer = setInterval(tidy, EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
