import type { AppContext } from '../context.ts'
import type { BackgroundJob } from '../jobs/interval-job.ts'
import { startLeaseWorker } from '../jobs/lease-worker.ts'
import { describeError } from '../log/safe-error.ts'
import { SECOND_MS } from '../time.ts'
import { escalateMessage } from './escalate-message.ts'
import { type DueStep, listDueSteps } from './escalation-queries.ts'

/** Steps are precise to about a second: a process may die between the commit of a send and its hint. */
const POLL_INTERVAL_MS = SECOND_MS
const WAKE_DELAY_MS = 20
const MAX_IN_FLIGHT = 4
const STOP_TIMEOUT_MS = 15 * SECOND_MS

/**
 * Starts doing what is due about messages to vehicles of several people (decision vehicle-people). Nothing of it is in memory: a worker
 * that stops or is killed leaves its steps to the others.
 *
 * @param now the time by which steps are due
 */
export function startEscalationWorker(
  context: Pick<AppContext, 'db' | 'keyring' | 'log' | 'live' | 'outbox'>,
  { now = () => new Date() }: { now?: () => Date } = {},
): BackgroundJob {
  const { db, log, live } = context
  const inProgress = new Set<string>()

  async function handle(due: DueStep): Promise<void> {
    try {
      await escalateMessage(context, due, now())
    } catch (error) {
      log.error({ error: describeError(error) }, 'not everybody could be notified of a message; it is tried again')
    } finally {
      inProgress.delete(due.messageId)
    }
  }

  async function lease(limit: number) {
    const due = await listDueSteps(db, now(), limit + inProgress.size)
    const leases = due.filter(({ messageId }) => !inProgress.has(messageId)).slice(0, limit)
    for (const { messageId } of leases) inProgress.add(messageId)
    return { leases, mayHaveMore: leases.length === limit }
  }

  const worker = startLeaseWorker<DueStep>(log, {
    work: 'steps',
    source: 'the steps of escalations',
    queues: [{ pollMs: POLL_INTERVAL_MS, lease }],
    handle,
    maxInFlight: MAX_IN_FLIGHT,
    wakeDelayMs: WAKE_DELAY_MS,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  })
  const unsubscribe = live.subscribeAll(() => worker.wake())
  return {
    async stop() {
      unsubscribe()
      await worker.stop()
    },
  }
}
