import type { Pool } from '../db/pool.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { clientNetwork } from '../limits/network.ts'
import { RETENTION } from '../retention.ts'
import { UNDO_PERIOD } from './account-link-queries.ts'
import { isAdminSessionExpired, isIdle } from './session-queries.ts'
import { KEEP_PASSWORD_S } from './sign-up.ts'

/**
 * Deletes what nobody can use any more: expired links, unused sessions of expired links, sign-ups nobody confirmed,
 * idle sessions, and the refresh tokens a session used more than a day ago. Reduces old IP addresses to hashes of their
 * networks.
 */
export async function cleanUpAccounts(db: Pool, keyring: Keyring): Promise<void> {
  await db`delete from auth.one_time_tokens where expires_at < now()`
  await db`delete from auth.email_codes where expires_at < now()`
  await db`delete from auth.account_link_tokens where since <= now() - ${UNDO_PERIOD}::interval`
  // nobody expects this email any more
  await db`delete from auth.link_request_queue where created_at < now() - interval '1 hour'`
  // an email is retried for three days, and its link is then valid for at most seven
  await db`delete from auth.link_requests where created_at < now() - interval '14 days'`
  await db`
    delete from auth.users
    where email_confirmed_at is null 
      and greatest(confirmation_sent_at, recovery_sent_at, created_at) < now() - ${RETENTION.unconfirmedAccounts}::interval`
  // the time is over in which the session that confirmed the address could choose their passwords
  await db`
    delete from auth.sign_ups s using auth.users u
    where u.id = s.user_id and u.email_confirmed_at is not null and not exists (
      select from auth.sessions chooser
      where chooser.id = s.session_id and chooser.created_at > now() - make_interval(secs => ${KEEP_PASSWORD_S}::float8)
    )`
  // its links are over, and a newer sign-up waits
  await db`
    delete from auth.sign_ups s
    where s.created_at < now() - interval '7 days' and exists (
      select from auth.sign_ups newer where newer.user_id = s.user_id and newer.created_at > s.created_at
    )`
  await db`delete from auth.sessions where ${isIdle(db)}`
  await db`
    delete from auth.sessions s using auth.users u where u.id = s.user_id and u.is_admin and ${isAdminSessionExpired(db)}`
  // deleted ones are still recognized as used: see `refreshSession`
  await db`
    delete from auth.refresh_tokens t using auth.refresh_tokens newest
    where t.used_at < now() - interval '1 day' and newest.session_id = t.session_id and newest.used_at is null
      and t.token_hash is distinct from newest.parent_hash`
  while (await hashOldAddresses(db, keyring));
}

/** Sessions whose addresses one round reduces. */
const ADDRESS_BATCH_SIZE = 500

/**
 * Replaces the IP addresses of some old sessions by keyed hashes of their networks (decision retention-and-deletion). Returns true when
 * there may be more.
 */
async function hashOldAddresses(db: Pool, keyring: Keyring): Promise<boolean> {
  const sessions = await db<{ id: string; ip: string }[]>`
    select id, host(ip) as ip from auth.sessions
    where ip is not null and created_at < now() - ${RETENTION.sessionAddresses}::interval
    limit ${ADDRESS_BATCH_SIZE}`
  if (sessions.length === 0) return false
  const hashes = sessions.map(({ ip }) => keyedHash(keyring, 'network', clientNetwork(ip)).toString('hex'))
  await db`
    update auth.sessions s set ip = null, network_hash = decode(old.hash, 'hex')
    from unnest(${sessions.map(({ id }) => id)}::uuid[], ${hashes}::text[]) as old (id, hash)
    where s.id = old.id`
  return sessions.length === ADDRESS_BATCH_SIZE
}
