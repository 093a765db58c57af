import { setTimeout as delay } from 'node:timers/promises'
import { type Pool, sqlState } from '../db/pool.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'

/** SQLSTATE of a transaction whose number the database has not given out: it crashed before it kept anything of it. */
const INVALID_PARAMETER = '22023'
const ASK_FOR_MS = MINUTE_MS
const ASK_EVERY_MS = SECOND_MS / 2

/**
 * Asks what became of a transaction whose COMMIT got no response, until the database says so or a minute is over. A
 * connection that is cut there says nothing: most of the time the database has committed.
 *
 * @param id of `pg_current_xact_id()`
 */
export async function findCommitOutcome(db: Pool, id: string): Promise<'committed' | 'aborted' | 'unknown'> {
  for (const until = Date.now() + ASK_FOR_MS; Date.now() < until; await delay(ASK_EVERY_MS)) {
    try {
      const [row] = await db<{ status: string | null }[]>`select pg_xact_status(${id}::xid8) as status`
      const status = row!.status
      if (status === 'committed' || status === 'aborted') return status
    } catch (error) {
      if (sqlState(error) === INVALID_PARAMETER) return 'aborted'
      // not reachable yet
    }
  }
  return 'unknown'
}
