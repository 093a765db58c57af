import { recordConsent } from '../consent/queries.ts'
import type { Db } from '../db/pool.ts'
import type { SignUpRow } from './link-queries.ts'

/**
 * Gives an account the consent of a sign-up, with the time of the sign-up. Call it where the account gets that sign-up's
 * password: only then is it known that the person made it (decision mailed-links). Does nothing when it agreed to nothing.
 */
export async function recordSignUpConsent(
  tx: Db,
  userId: string,
  { terms_version: version, terms_locale: locale, created_at }: SignUpRow,
): Promise<void> {
  if (version !== null && locale !== null) await recordConsent(tx, userId, { version, locale, given_at: created_at })
}
