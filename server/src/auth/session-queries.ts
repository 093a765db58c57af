import { MAX_BIGINT, MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import type { Amr } from './tokens.ts'
import type { UserRow } from './user-queries.ts'

export type ClientInfo = { user_agent: string | null; ip: string | null }

export type NewSession = { id: string; user_id: string; amr: Amr; link_request_id: string | null } & ClientInfo

/**
 * Inserts a session, if the account still has the password it was opened with (undefined: not opened with one).
 * Returns the account, or undefined when the password has changed.
 */
export const insertSession = async (db: Db, session: NewSession, refreshHash: Buffer, passwordHash?: string) => {
  const [user] = await db<UserRow[]>`
    with account as (
      update auth.users set last_sign_in_at = now()
      where id = ${session.user_id} and (${passwordHash ?? null}::text is null or encrypted_password = ${passwordHash ?? null})
      returning *
    ), opened as (
      insert into auth.sessions (id, user_id, amr, link_request_id, user_agent, ip)
      select ${session.id}::uuid, account.id, ${db.json(session.amr)}::jsonb, ${session.link_request_id}::uuid,
        ${session.user_agent}::text, ${session.ip}::inet
      from account
      returning id
    ), token as (
      insert into auth.refresh_tokens (token_hash, session_id) select ${refreshHash}::bytea, id from opened
    )
    select * from account`
  return user
}

/** Marks a session as used. Returns true when this was its first use. */
export const markSessionUsed = async (db: Db, sessionId: string): Promise<boolean> => {
  const result = await db`
    update auth.sessions set link_request_id = null where id = ${sessionId} and link_request_id is not null`
  return result.count === 1
}

/** Finds the session that one of these refresh tokens belongs to. */
export const findSessionByToken = async (db: Db, hashes: Buffer[]) => {
  const [row] = await db<{ id: string; user_id: string }[]>`
    select s.id, s.user_id
    from auth.refresh_tokens t
    join auth.sessions s on s.id = t.session_id
    where t.token_hash = any(array(
      select decode(hash, 'hex') from unnest(${hashes.map((hash) => hash.toString('hex'))}::text[]) as hash))
    limit 1`
  return row
}

/** A session that was not refreshed for so long has ended. */
const SESSION_IDLE_DAYS = 90
export const isIdle = (db: Db) => db`refreshed_at < now() - make_interval(days => ${SESSION_IDLE_DAYS})`

export type SessionRow = { id: string; user_id: string; amr: Amr; link_request_id: string | null; idle: boolean }

/** Locks a session until the transaction ends: refreshes of one session run one after another. */
export const lockSession = async (db: Db, id: string): Promise<SessionRow | undefined> => {
  const [row] = await db<SessionRow[]>`
    select id, user_id, amr, link_request_id, ${isIdle(db)} as idle from auth.sessions where id = ${id} for update`
  return row
}

export const isSessionIdle = async (db: Db, id: string): Promise<boolean> => {
  const [row] = await db<{ idle: boolean }[]>`select ${isIdle(db)} as idle from auth.sessions where id = ${id}`
  return row?.idle ?? false
}

export const findSessionAmr = async (db: Db, id: string): Promise<Amr> => {
  const [row] = await db<{ amr: Amr }[]>`select amr from auth.sessions where id = ${id}`
  return row?.amr ?? []
}

export type TokenState = { used: boolean; used_recently: boolean; newest: Buffer }

/** Finds how a refresh token relates to its session, whose row the caller has locked. */
export const findTokenState = async (db: Db, sessionId: string, hash: Buffer, reuseIntervalS: number) => {
  const [row] = await db<TokenState[]>`
    select t.used_at is not null as used, newest.token_hash as newest,
      coalesce(t.used_at > clock_timestamp() - make_interval(secs => ${reuseIntervalS}::float8), false) as used_recently
    from auth.refresh_tokens t
    join auth.refresh_tokens newest on newest.session_id = t.session_id and newest.used_at is null
    where t.token_hash = ${hash} and t.session_id = ${sessionId}`
  return row
}

/** Exchanges a session's newest token for its child. */
export const rotateRefreshToken = async (db: Db, sessionId: string, parent: Buffer, child: Buffer): Promise<void> => {
  // two statements: the index that allows one newest token is checked row by row
  await db`update auth.refresh_tokens set used_at = clock_timestamp() where token_hash = ${parent}`
  await db`
    with seen as (
      update auth.sessions set refreshed_at = now() where id = ${sessionId}
    )
    insert into auth.refresh_tokens (token_hash, session_id, parent_hash) values (${child}, ${sessionId}, ${parent})`
}

export type SignOutScope = 'global' | 'local' | 'others'

/** Deletes sessions of one account: all, this one, or all but this one. */
export const deleteSessions = async (db: Db, userId: string, sessionId: string, scope: SignOutScope): Promise<void> => {
  await db`
    delete from auth.sessions
    where user_id = ${userId}
      and (${scope} = 'global' or (${scope} = 'local') = (id = ${sessionId}))`
}

export type IdentityRow = {
  user_exists: boolean
  session_exists: boolean
  email: string | null
  email_confirmed: boolean
  is_admin: boolean
  banned: boolean
  /** The session came from a link and was never used. */
  unused: boolean
}

/** Finds the accounts and sessions behind access tokens, in the order given. A session of another account is none. */
export const findIdentities = (db: Db, claims: { userId: string; sessionId: string }[]) =>
  db<IdentityRow[]>`
    select u.id is not null as user_exists, s.id is not null as session_exists, u.email,
      u.email_confirmed_at is not null as email_confirmed, coalesce(u.is_admin, false) as is_admin,
      coalesce(u.banned_until > now(), false) as banned, s.link_request_id is not null as unused
    from unnest(${claims.map((c) => c.userId)}::uuid[], ${claims.map((c) => c.sessionId)}::uuid[])
      with ordinality as c (user_id, session_id, ord)
    left join auth.users u on u.id = c.user_id
    left join auth.sessions s on s.id = c.session_id and s.user_id = c.user_id
    order by c.ord`

/** A session as its owner may see it. */
export type SessionListRow = {
  id: string
  user_agent: string | null
  ip: string | null
  created_at: string
  refreshed_at: string
  /** `refreshed_at` in microseconds since 1970, as exact as it is stored; the list is paged by it. */
  refreshed_us: string
}

/** The session a page starts after. It has an id because two may have been refreshed at the same moment. */
export type SessionCursor = { refreshedUs: string; id: string }

/**
 * Lists the sessions somebody uses, the last active first. Leaves out one that came from a link and was never used: a
 * mail scanner may have opened it.
 *
 * @param before null: from the start
 */
export const listSessions = (db: Db, userId: string, before: SessionCursor | null, limit: number) =>
  db<SessionListRow[]>`
    select id, user_agent, host(ip) as ip, created_at, refreshed_at, refreshed_us::text
    from (
      select *, (extract(epoch from refreshed_at) * 1000000)::bigint as refreshed_us
      from auth.sessions
      where user_id = ${userId} and link_request_id is null
    ) used
    where (used.refreshed_us, id) < (${before?.refreshedUs ?? MAX_BIGINT}::bigint, ${before?.id ?? MAX_UUID}::uuid)
    order by used.refreshed_us desc, id desc
    limit ${limit}`
