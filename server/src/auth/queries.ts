import type { Db } from '../db/pool.ts'
import type { Metadata } from './metadata.ts'
import type { Amr } from './tokens.ts'

export type UserRow = {
  id: string
  email: string
  encrypted_password: string | null
  email_confirmed_at: string | null
  confirmation_sent_at: string | null
  recovery_sent_at: string | null
  last_sign_in_at: string | null
  user_metadata: Metadata
  is_admin: boolean
  banned_until: string | null
  created_at: string
  updated_at: string
}

export type ClientInfo = { user_agent: string | null; ip: string | null }

export const isBanned = ({ banned_until }: { banned_until: string | null }): boolean =>
  banned_until !== null && Date.parse(banned_until) > Date.now()

/** Metadata as a parameter of a statement. */
export const metadataJson = (db: Db, value: Metadata) => db.json(value as Parameters<Db['json']>[0])

// --- users

export const findUser = async (db: Db, id: string): Promise<UserRow | undefined> => {
  const [user] = await db<UserRow[]>`select * from auth.users where id = ${id}`
  return user
}

// Transactions here lock the account first, then its session, then its links, so that no two wait for each other.
// "no key": rows that only refer to the account (a message, a vehicle) are written meanwhile.

/** The account, held until the transaction ends. */
export const lockUser = async (db: Db, id: string): Promise<UserRow | undefined> => {
  const [user] = await db<UserRow[]>`select * from auth.users where id = ${id} for no key update`
  return user
}

/** The account of an address, held until the transaction ends. */
export const lockUserByEmail = async (db: Db, email: string): Promise<UserRow | undefined> => {
  const [user] = await db<UserRow[]>`select * from auth.users where email = ${email} for no key update`
  return user
}

export type SignInRow = UserRow & { waiting_password: string | null }

/** An account with the password of its newest sign-up, which waits for its link. */
export const findUserForSignIn = async (db: Db, email: string): Promise<SignInRow | undefined> => {
  const [user] = await db<SignInRow[]>`
    select u.*, s.encrypted_password as waiting_password
    from auth.users u
    left join auth.sign_ups s on s.user_id = u.id
    where u.email = ${email}`
  return user
}

/** The account of an address, made if there is none, and held until the transaction ends. */
export const findOrCreateUser = async (db: Db, id: string, email: string): Promise<UserRow> => {
  // the update changes nothing: it holds the account, and waits for one that is just being deleted, to make it anew
  const [user] = await db<UserRow[]>`
    insert into auth.users (id, email) values (${id}, ${email})
    on conflict (email) do update set updated_at = auth.users.updated_at
    returning *`
  return user! // made or held
}

/** Makes the account's address confirmed, with the password and metadata that were proven with it. */
export const confirmUser = async (
  db: Db,
  id: string,
  passwordHash: string | null,
  metadata: Metadata,
): Promise<void> => {
  await db`
    update auth.users set
      email_confirmed_at = now(), encrypted_password = ${passwordHash}, user_metadata = ${metadataJson(db, metadata)}, updated_at = now()
    where id = ${id} and email_confirmed_at is null`
}

export const setPasswordHash = async (db: Db, id: string, old: string, hash: string): Promise<void> => {
  await db`update auth.users set encrypted_password = ${hash} where id = ${id} and encrypted_password = ${old}`
}

/** Writes password and metadata; the caller holds the row. */
export const updateUser = async (
  db: Db,
  id: string,
  passwordHash: string | null,
  metadata: Metadata,
): Promise<UserRow> => {
  const [user] = await db<UserRow[]>`
    update auth.users set encrypted_password = ${passwordHash}, user_metadata = ${metadataJson(db, metadata)}, updated_at = now()
    where id = ${id}
    returning *`
  return user! // held
}

// --- sessions

export type NewSession = { id: string; user_id: string; amr: Amr; link_request_id: string | null } & ClientInfo

/**
 * Opens a session, if the account still has the password it was opened with (undefined: not opened with one).
 * Answers the account, or undefined when the password changed meanwhile.
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

/** Marks a session as used; true when this was its first use. */
export const markSessionUsed = async (db: Db, sessionId: string): Promise<boolean> => {
  const result = await db`
    update auth.sessions set link_request_id = null where id = ${sessionId} and link_request_id is not null`
  return result.count === 1
}

/** The session one of these refresh tokens belongs to. */
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

/** A session that was not renewed for so long is over. */
export const SESSION_IDLE_DAYS = 90
const isIdle = (db: Db) => db`refreshed_at < now() - make_interval(days => ${SESSION_IDLE_DAYS})`

export type SessionRow = { id: string; user_id: string; amr: Amr; link_request_id: string | null; asleep: boolean }

/** A session, held until the transaction ends: refreshes of one session come one after another. */
export const lockSession = async (db: Db, id: string): Promise<SessionRow | undefined> => {
  const [row] = await db<SessionRow[]>`
    select id, user_id, amr, link_request_id, ${isIdle(db)} as asleep from auth.sessions where id = ${id} for update`
  return row
}

export const isSessionIdle = async (db: Db, id: string): Promise<boolean> => {
  const [row] = await db<{ asleep: boolean }[]>`select ${isIdle(db)} as asleep from auth.sessions where id = ${id}`
  return row?.asleep ?? false
}

export const findSessionAmr = async (db: Db, id: string): Promise<Amr> => {
  const [row] = await db<{ amr: Amr }[]>`select amr from auth.sessions where id = ${id}`
  return row?.amr ?? []
}

export type TokenState = { used: boolean; used_recently: boolean; newest: Buffer }

/** What a refresh token is to its session, whose row the caller holds. */
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

/** Ends sessions of one account: all, this one, or all but this one. */
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
  /** The session came from a link and this is its first use. */
  unused: boolean
}

/** Accounts and sessions behind access tokens, in the order asked. A session of another account is none. */
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

// --- the admin right

/** Writes the right; the caller holds the row. */
export const setAdmin = async (db: Db, id: string, isAdmin: boolean): Promise<void> => {
  await db`update auth.users set is_admin = ${isAdmin}, updated_at = now() where id = ${id}`
}

export const listAdmins = async (db: Db): Promise<string[]> => {
  const rows = await db<{ email: string }[]>`select email from auth.users where is_admin order by email`
  return rows.map((row) => row.email)
}

/** All admins, held until the transaction ends. */
export const lockAdmins = (db: Db) =>
  db<{ id: string; email: string }[]>`
    select id, email from auth.users where is_admin order by id for no key update`

// --- tidying

/**
 * Removes what is of no more use: ended links, unused sessions of ended links, sign-ups nobody confirmed, sleeping
 * sessions, and all but the last day of the refresh tokens a session has used.
 */
export const deleteStaleRows = async (db: Db): Promise<void> => {
  await db`delete from auth.one_time_tokens where expires_at < now()`
  // nobody waits for this mail any more
  await db`delete from auth.link_wishes where created_at < now() - interval '1 hour'`
  // a mail is tried for three days, and its link then lives for seven at most
  await db`delete from auth.link_requests where created_at < now() - interval '14 days'`
  await db`
    delete from auth.users
    where email_confirmed_at is null and coalesce(confirmation_sent_at, created_at) < now() - interval '30 days'`
  // confirmed by a link whose session nobody ever used
  await db`
    delete from auth.sign_ups s using auth.users u
    where u.id = s.user_id and u.email_confirmed_at is not null and s.created_at < now() - interval '14 days'`
  await db`delete from auth.sessions where ${isIdle(db)}`
  // older ones are still known for what they are: see refresh-session.ts
  await db`
    delete from auth.refresh_tokens t using auth.refresh_tokens newest
    where t.used_at < now() - interval '1 day' and newest.session_id = t.session_id and newest.used_at is null
      and t.token_hash is distinct from newest.parent_hash`
}
