import { NO_ANSWER_AFTER_MINUTES } from '#contract/messages.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { refuse } from '../refusal.ts'
import { insertNudgeStep, setNudged } from './escalation-queries.ts'
import { findSent, type SentRow } from './queries.ts'
import { getBlockSecret } from './send-limits.ts'

/**
 * Reminds the people of a vehicle of a message, once (decision vehicle-people). Whether it reaches anybody is decided by the worker:
 * the sender gets the same response, as quickly, for a vehicle of one person and of many, and where nobody is reminded.
 *
 * Refuses with `not_found`, `nudge_not_now`.
 */
export async function nudgeMessage(
  { db, keyring, live }: Pick<AppContext, 'db' | 'keyring' | 'live'>,
  sender: { id: string; personHash: Buffer },
  id: string,
): Promise<SentRow> {
  const row = await inTransaction(db, async (tx) => {
    const nudged = await setNudged(tx, id, sender.id, NO_ANSWER_AFTER_MINUTES)
    if (nudged) await insertNudgeStep(tx, id, getBlockSecret(keyring, sender.personHash))
    const sent = (await findSent(tx, id, sender.id)) ?? refuse('not_found')
    return nudged ? sent : refuse('nudge_not_now')
  })
  live.publish([sender.id]) // wakes the workers too
  return row
}
