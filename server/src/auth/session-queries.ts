import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { MAX_UUID, type TimeCursor } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'
import type { Amr, Claims } from './tokens.ts'
import type { UserRow } from './user-queries.ts'

export type ClientInfo = { user_agent: string | null; ip: string | null }

type NewSession = { id: string; user_id: string; amr: Amr; link_request_id: string | null } & ClientInfo

/**
 * Inserts a session, if the account still has the password it was opened with (undefined: not opened with one).
 * Returns the account, or undefined when the password has changed. One from a link is no sign-in until it is used.
 */
export const insertSession = async (db: Db, session: NewSession, refreshHash: Buffer, passwordHash?: string) => {
  const [user] = await db<UserRow[]>`
    with account as (
      update auth.users
      set last_sign_in_at = case when ${session.link_request_id}::uuid is null then now() else last_sign_in_at end
      where id = ${session.user_id} and (${passwordHash ?? null}::text is null or encrypted_password = ${passwordHash ?? null})
      returning *
    ), opened as (
      insert into auth.sessions (id, user_id, amr, link_request_id, user_agent, ip, received_generation)
      select ${session.id}::uuid, account.id, ${db.json(session.amr)}::jsonb, ${session.link_request_id}::uuid,
        ${session.user_agent}::text, ${session.ip}::inet, 0
      from account
      returning id
    ), token as (
      insert into auth.refresh_tokens (token_hash, session_id) select ${refreshHash}::bytea, id from opened
    )
    select * from account`
  return user
}

/** How many sessions an account has at most, apart from those that a link opened and nobody used. */
const SESSIONS_MAX = 50

/** Ends the longest unused sessions of an account that has too many. */
export const endLongestUnusedSessions = async (db: Db, userId: string): Promise<void> => {
  // locks the account first, so that two of these never wait for each other's sessions
  await db`
    with account as materialized (
      select id from auth.users where id = ${userId} for no key update
    )
    delete from auth.sessions where id in (
      select s.id from account join auth.sessions s on s.user_id = account.id
      where s.link_request_id is null
      order by s.refreshed_at desc, s.id desc
      offset ${SESSIONS_MAX}
    )`
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

/** Selects whether a session was not refreshed for so long that it has ended. */
export const isIdle = (db: Db) => db`refreshed_at < now() - ${RETENTION.idleSessions}::interval`

/** A session of an admin ends so many hours after it began, however much it is used … */
export const ADMIN_SESSION_HOURS = 12
/** … and after so many minutes without a request. */
const ADMIN_IDLE_MINUTES = 30

/** Matches sessions `s` that have expired if they are an admin's (decision second-factor). */
export const isAdminSessionExpired = (db: Db) => db`(
  s.created_at < now() - make_interval(hours => ${ADMIN_SESSION_HOURS})
  or greatest((select used_at from auth.session_uses where session_id = s.id), s.created_at) < now() - make_interval(mins => ${ADMIN_IDLE_MINUTES}))`

/**
 * Records that an admin's session was used; to the minute, because every request is. Returns whether there still is one: it may be
 * deleted at that moment, which this waits for.
 */
export const setSessionUsedNow = async (db: Db, id: string): Promise<boolean> => {
  const { count } = await db`
    insert into auth.session_uses (session_id, used_at) select id, now() from auth.sessions where id = ${id} for key share
    on conflict (session_id) do update set used_at = excluded.used_at`
  return count > 0
}

export type SessionRow = {
  id: string
  user_id: string
  amr: Amr
  link_request_id: string | null
  /** How often it was refreshed, and the newest refresh whose response is known to have arrived. */
  generation: number
  received_generation: number
  idle: boolean
  /** It has ended if its person is an admin. */
  admin_expired: boolean
}

/** Locks a session until the transaction ends: refreshes of one session run one after another. */
export const lockSession = async (db: Db, id: string): Promise<SessionRow | undefined> => {
  const [row] = await db<SessionRow[]>`
    select id, user_id, amr, link_request_id, generation, received_generation, ${isIdle(db)} as idle,
      ${isAdminSessionExpired(db)} as admin_expired
    from auth.sessions s
    where id = ${id}
    for update`
  return row
}

/** Finds how a session was authenticated (`amr` of its access tokens); empty when there is no session. */
export const findSessionAmr = async (db: Db, id: string): Promise<Amr> => {
  const [row] = await db<{ amr: Amr }[]>`select amr from auth.sessions where id = ${id}`
  return row?.amr ?? []
}

/** Finds the hash of the refresh token that is good now, of a session whose row the caller has locked. */
export const findNewestTokenHash = async (db: Db, sessionId: string): Promise<Buffer> => {
  const [row] = await db<{ token_hash: Buffer }[]>`
    select token_hash from auth.refresh_tokens where session_id = ${sessionId} and used_at is null`
  return row!.token_hash // every session has one
}

export type TokenState = { used: boolean; used_recently: boolean; age_s: number; newest: Buffer }

/** Finds how a refresh token relates to its session, whose row the caller has locked. */
export const findTokenState = async (db: Db, sessionId: string, hash: Buffer, reuseIntervalS: number) => {
  const [row] = await db<TokenState[]>`
    select t.used_at is not null as used, newest.token_hash as newest,
      extract(epoch from now() - t.created_at)::float8 as age_s,
      coalesce(t.used_at > clock_timestamp() - make_interval(secs => ${reuseIntervalS}::float8), false) as used_recently
    from auth.refresh_tokens t
    join auth.refresh_tokens newest on newest.session_id = t.session_id and newest.used_at is null
    where t.token_hash = ${hash} and t.session_id = ${sessionId}`
  return row
}

/** Exchanges a session's newest token for its child. Returns the session's new generation. */
export const rotateRefreshToken = async (db: Db, sessionId: string, parent: Buffer, child: Buffer): Promise<number> => {
  // two statements: the index that allows one newest token is checked row by row
  await db`update auth.refresh_tokens set used_at = clock_timestamp() where token_hash = ${parent}`
  const [row] = await db<{ generation: number }[]>`
    with inserted as (
      insert into auth.refresh_tokens (token_hash, session_id, parent_hash) values (${child}, ${sessionId}, ${parent})
    )
    update auth.sessions set refreshed_at = now(), generation = generation + 1 where id = ${sessionId}
    returning generation`
  return row!.generation // locked by the caller
}

/** Records that the response to a refresh arrived: its access token was used. */
export const recordReceipt = async (db: Db, sessionId: string, generation: number): Promise<void> => {
  await db`
    update auth.sessions set received_generation = ${generation}
    where id = ${sessionId} and received_generation < ${generation}`
}

export type SignOutScope = 'global' | 'local' | 'others'

/** Deletes sessions of one account: all, this one, or all but this one. Unless it is this one alone, links in earlier emails answer nothing. */
export const deleteSessions = async (db: Db, userId: string, sessionId: string, scope: SignOutScope): Promise<void> => {
  // the account is locked first, as everywhere: the end of a session is recorded with it
  await db`
    with account as (
      select id from auth.users where id = ${userId} for key share
    ), links as (
      update auth.users set signed_out_at = now() where id = ${userId} and ${scope} <> 'local'
    )
    delete from auth.sessions s using account
    where s.user_id = account.id
      and (${scope} = 'global' or (${scope} = 'local') = (s.id = ${sessionId}))`
}

/** Deletes every session of an account, whose row the caller has locked. Links in earlier emails answer nothing. */
export const endAllSessions = async (db: Db, userId: string): Promise<void> => {
  await db`
    with account as (
      update auth.users set signed_out_at = now() where id = ${userId}
    )
    delete from auth.sessions where user_id = ${userId}`
}

/** Deletes the sessions of all accounts, and their links, also those whose email is not written yet. Returns how many sessions there were. */
export const deleteEverySession = async (tx: Db): Promise<number> => {
  await tx`delete from auth.link_requests`
  await tx`update auth.users set signed_out_at = now() where id in (select user_id from answer_links)`
  return (await tx`delete from auth.sessions`).count
}

export type IdentityRow = {
  user_exists: boolean
  session_exists: boolean
  email: string | null
  /** Who it belongs to; null when there is no such account. */
  person_hash: Buffer | null
  email_confirmed: boolean
  is_admin: boolean
  /** The person is suspended, whichever account this is. */
  suspended: boolean
  /** The session came from a link and was never used. */
  unused: boolean
  /** The newest refresh of the session whose response is known to have arrived. */
  received_generation: number
  has_factor: boolean
  /** The seconds since the session was verified with a second factor; null: it never was. */
  factor_age_s: number | null
  /** The session of an admin has expired: see `isAdminSessionExpired`. */
  admin_expired: boolean
  /** It is an admin's, and its use has to be recorded again. */
  admin_use_due: boolean
}

/** Finds the accounts and sessions behind access tokens, in the order given. A session of another account is none, nor one that has not been used for too long. */
export const findIdentities = (db: Db, claims: Pick<Claims, 'userId' | 'sessionId'>[]) =>
  db<IdentityRow[]>`
    select u.id is not null as user_exists, s.id is not null as session_exists, u.email, u.person_hash,
      u.email_confirmed_at is not null as email_confirmed, coalesce(u.is_admin, false) as is_admin,
      suspended.yes is not null as suspended,
      s.link_request_id is not null as unused,
      coalesce(s.received_generation, 0) as received_generation,
      exists (select from auth.factors f where f.user_id = u.id and f.verified_at is not null and f.removed_at is null) as has_factor,
      case when s.factor_id is not null then extract(epoch from now() - s.factor_verified_at)::float8 end as factor_age_s,
      coalesce(u.is_admin and ${isAdminSessionExpired(db)}, false) as admin_expired,
      coalesce(u.is_admin and not exists (
        select from auth.session_uses where session_id = s.id and used_at > now() - interval '1 minute'
      ), false) as admin_use_due
    from unnest(${claims.map((c) => c.userId)}::uuid[], ${claims.map((c) => c.sessionId)}::uuid[])
      with ordinality as c (user_id, session_id, ord)
    left join auth.users u on u.id = c.user_id
    left join auth.sessions s on s.id = c.session_id and s.user_id = c.user_id and not ${isIdle(db)}
    left join lateral (
      select true as yes from live_sanctions a where a.person_hash = u.person_hash and a.kind = 'suspend' limit 1
    ) suspended on true
    order by c.ord`

/** A session as its owner may see it. */
export type SessionListRow = {
  id: string
  user_agent: string | null
  ip: string | null
  signed_in_at: string
  last_seen_at: string
  /** `last_seen_at`, by which the list is paged. */
  us: string
}

/**
 * Lists the sessions somebody uses, the last active first. Leaves out one that came from a link and was never used: a
 * mail scanner may have opened it.
 *
 * @param before null: from the start
 */
export const listSessions = (db: Db, userId: string, before: TimeCursor | null, limit: number) =>
  db<SessionListRow[]>`
    select id, user_agent, host(ip) as ip, created_at as signed_in_at, refreshed_at as last_seen_at,
      (extract(epoch from refreshed_at) * 1000000)::bigint::text as us
    from auth.sessions
    where user_id = ${userId} and link_request_id is null
      and (refreshed_at, id) < (
        coalesce(timestamptz 'epoch' + ${before?.us ?? null}::bigint * interval '1 microsecond', 'infinity'),
        ${before?.id ?? MAX_UUID}::uuid)
    order by refreshed_at desc, id desc
    limit ${limit}`

const USER_AGENT_MAX = 300

/** Reads what is stored about the device a session is opened on. */
export const readClientInfo = (request: FastifyRequest): ClientInfo => ({
  user_agent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
  ip: isIP(request.ip) ? (request.ip.split('%')[0] ?? null) : null,
})
