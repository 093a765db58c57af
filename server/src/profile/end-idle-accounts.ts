import {
  isAccountExpired,
  listExpiredAccounts,
  recordIdleSweep,
  takeAccountsToWarn,
} from '../auth/idle/idle-queries.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { countWaitingMails, queueSpreadMails } from '../email/outbox.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import { describeError } from '../log/safe-error.ts'
import { HOUR_MS } from '../time.ts'
import { deleteEndedAccount } from './delete-account.ts'

const BATCH_SIZE = 500
/** As a notice to everybody: a sign-in link never waits behind them. */
const WARNINGS_PER_MINUTE = 300

/**
 * Warns people whose accounts nobody has used for 23 months, and ends those unused for 24 whose warning left at least 28 days ago
 * (decision 0116). Several processes may do this at the same time.
 *
 * @param signal stops the work after the account or batch at hand
 */
export async function endIdleAccounts(context: AppContext, signal?: AbortSignal): Promise<void> {
  await inTransaction(context.db, recordIdleSweep)
  while (!signal?.aborted && (await warnSome(context.db)));
  for (let after: string | null = null; ; ) {
    const ids: string[] = await listExpiredAccounts(context.db, after, BATCH_SIZE)
    for (const id of ids) {
      if (signal?.aborted) return
      try {
        await deleteEndedAccount(context, id, (tx) => isAccountExpired(tx, id))
      } catch (error) {
        context.log.error({ error: describeError(error) }, 'an idle account could not be deleted; it is tried again')
      }
    }
    if (ids.length < BATCH_SIZE) return
    after = ids.at(-1) ?? null
  }
}

/** Queues the warnings of some accounts behind those that wait. Returns true when there may be more. */
const warnSome = (db: Pool): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const warningId = newId()
    const recipientIds = await takeAccountsToWarn(tx, warningId, BATCH_SIZE)
    const startsAfter = await countWaitingMails(tx, 'idle_warning')
    await queueSpreadMails(tx, {
      kind: 'idle_warning',
      refId: warningId,
      recipientIds,
      startsAfter,
      perMinute: WARNINGS_PER_MINUTE,
    })
    return recipientIds.length === BATCH_SIZE
  })

/** Ends idle accounts now and every hour, until stopped. */
export const startIdleJob = (context: AppContext): BackgroundJob =>
  startIntervalJob(context, 'ending idle accounts', HOUR_MS, (stopping) => endIdleAccounts(context, stopping))
