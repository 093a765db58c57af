import { FRESH_SESSION_S } from '#contract/profile.ts'
import { findSessionAmr } from '../auth/session-queries.ts'
import { isRecentlyAuthenticated } from '../auth/tokens.ts'
import type { Pool } from '../db/pool.ts'
import type { Actor } from '../http/actor.ts'
import { refuse } from '../refusal.ts'

/**
 * Refuses with `sign_in_again` a session that did not begin recently, by password or link: an unattended browser must
 * neither reveal everything nor delete it.
 */
export async function assertFreshSession(db: Pool, { sessionId }: Actor): Promise<void> {
  const amr = await findSessionAmr(db, sessionId)
  // every session has an entry: this one ended, or its account was deleted, while the request was on its way
  if (amr.length === 0) refuse('session_ended')
  if (!isRecentlyAuthenticated(amr, FRESH_SESSION_S)) refuse('sign_in_again')
}
