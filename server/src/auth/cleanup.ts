import type { Db } from '../db/pool.ts'
import { isIdle } from './session-queries.ts'

/**
 * Deletes what nobody can use any more: expired links, unused sessions of expired links, sign-ups nobody confirmed,
 * idle sessions, and the refresh tokens a session used more than a day ago.
 */
export async function cleanUpAccounts(db: Db): Promise<void> {
  await db`delete from auth.one_time_tokens where expires_at < now()`
  // nobody expects this email any more
  await db`delete from auth.link_request_queue where created_at < now() - interval '1 hour'`
  // an email is retried for three days, and its link is then valid for at most seven
  await db`delete from auth.link_requests where created_at < now() - interval '14 days'`
  await db`
    delete from auth.users
    where email_confirmed_at is null and coalesce(confirmation_sent_at, created_at) < now() - interval '30 days'`
  // confirmed by a link whose session was never used
  await db`
    delete from auth.sign_ups s using auth.users u
    where u.id = s.user_id and u.email_confirmed_at is not null and s.created_at < now() - interval '14 days'`
  await db`delete from auth.sessions where ${isIdle(db)}`
  // deleted ones are still recognized as used: see refresh-session.ts
  await db`
    delete from auth.refresh_tokens t using auth.refresh_tokens newest
    where t.used_at < now() - interval '1 day' and newest.session_id = t.session_id and newest.used_at is null
      and t.token_hash is distinct from newest.parent_hash`
}
