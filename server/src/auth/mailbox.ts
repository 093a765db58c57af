import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'

/**
 * Tells whether one more account of a mailbox may be confirmed (decision 0076), until the transaction ends. Accounts from
 * before the hash was kept do not count.
 *
 * @param personHash of the mailbox (`hashPerson`)
 */
export async function hasRoomForAccount(
  tx: Db,
  config: Pick<Config, 'LIMIT_SCALE'>,
  personHash: Buffer,
): Promise<boolean> {
  // two sign-ups or links of one mailbox at the same moment: the second sees what the first did
  await tx`select pg_advisory_xact_lock(hashtextextended(${`mailbox ${personHash.toString('base64')}`}, 0))`
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from auth.users
    where person_hash = ${personHash} and email_confirmed_at is not null`
  return row!.count < scaleLimit(LIMITS.accountsPerMailbox.max, config) // an aggregate without groups has one row
}
