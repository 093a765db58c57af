import type { Db } from '../db/pool.ts'
import type { Metadata } from './metadata.ts'
import type { LinkPurpose } from './redirects.ts'
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

export type Device = { user_agent: string | null; ip: string | null }

export const isBanned = ({ banned_until }: { banned_until: string | null }): boolean =>
  banned_until !== null && Date.parse(banned_until) > Date.now()

const json = (db: Db, value: Metadata) => db.json(value as Parameters<Db['json']>[0])

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
export const findForSignIn = async (db: Db, email: string): Promise<SignInRow | undefined> => {
  const [user] = await db<SignInRow[]>`
    select u.*, s.encrypted_password as waiting_password
    from auth.users u
    left join auth.sign_ups s on s.user_id = u.id
    where u.email = ${email}`
  return user
}

/** The account of an address, made if there is none, and held until the transaction ends. */
export const ensureUser = async (db: Db, id: string, email: string): Promise<UserRow> => {
  await db`insert into auth.users (id, email) values (${id}, ${email}) on conflict (email) do nothing`
  const user = await lockUserByEmail(db, email)
  if (!user) throw new Error('the account was deleted in the moment of the sign-up')
  return user
}

/** Makes the account's address confirmed, with the password and metadata that were proven with it. */
export const confirmUser = async (db: Db, id: string, password: string | null, metadata: Metadata): Promise<void> => {
  await db`
    update auth.users set
      email_confirmed_at = now(), encrypted_password = ${password}, user_metadata = ${json(db, metadata)}, updated_at = now()
    where id = ${id} and email_confirmed_at is null`
}

export const setPasswordHash = async (db: Db, id: string, old: string, hash: string): Promise<void> => {
  await db`update auth.users set encrypted_password = ${hash} where id = ${id} and encrypted_password = ${old}`
}

/** Writes password and metadata; the caller holds the row. */
export const updateUser = async (db: Db, id: string, password: string | null, metadata: Metadata): Promise<UserRow> => {
  const [user] = await db<UserRow[]>`
    update auth.users set encrypted_password = ${password}, user_metadata = ${json(db, metadata)}, updated_at = now()
    where id = ${id}
    returning *`
  return user! // held
}

// --- sign-ups and links

export type NewSignUp = { id: string; user_id: string; encrypted_password: string; user_metadata: Metadata }

/** Replaces what the account waited for; older links die with the older sign-up. */
export const replaceSignUp = async (db: Db, signUp: NewSignUp): Promise<void> => {
  await db`delete from auth.sign_ups where user_id = ${signUp.user_id}`
  await db`
    insert into auth.sign_ups (id, user_id, encrypted_password, user_metadata)
    values (${signUp.id}, ${signUp.user_id}, ${signUp.encrypted_password}, ${json(db, signUp.user_metadata)})`
}

export const findSignUp = async (db: Db, userId: string) => {
  const [row] = await db<{ id: string; encrypted_password: string; user_metadata: Metadata }[]>`
    select id, encrypted_password, user_metadata from auth.sign_ups where user_id = ${userId}`
  return row
}

export type NewLinkRequest = {
  id: string
  user_id: string
  purpose: LinkPurpose
  sign_up_id: string | null
  redirect_to: string
}

/** Asks for a mail with a link; older links of the same purpose die. */
export const replaceLinkRequest = async (db: Db, request: NewLinkRequest): Promise<void> => {
  const { user_id, purpose } = request
  await db`delete from auth.link_requests where user_id = ${user_id} and purpose = ${purpose}`
  await db`insert into auth.link_requests ${db(request)}`
  if (purpose === 'signup') await db`update auth.users set confirmation_sent_at = now() where id = ${user_id}`
  else await db`update auth.users set recovery_sent_at = now() where id = ${user_id}`
}

/** What a mail with a link is about; undefined when the wish is gone. */
export const findLinkRequest = async (db: Db, id: string) => {
  const [row] = await db<{ id: string; purpose: LinkPurpose; redirect_to: string }[]>`
    select id, purpose, redirect_to from auth.link_requests where id = ${id}`
  return row
}

/** Stores the hash of a minted link. Nothing is stored when its request is gone by now. */
export const insertLinkToken = async (db: Db, hash: Buffer, requestId: string, lifeS: number): Promise<boolean> => {
  const result = await db`
    insert into auth.one_time_tokens (token_hash, request_id, expires_at)
    select ${hash}::bytea, id, now() + make_interval(secs => ${lifeS}::float8) from auth.link_requests where id = ${requestId}`
  return result.count === 1
}

/** Whose a link is, if it is still good. */
export const ownerOfLink = async (db: Db, hash: Buffer): Promise<string | undefined> => {
  const [row] = await db<{ user_id: string }[]>`
    select r.user_id
    from auth.one_time_tokens t
    join auth.link_requests r on r.id = t.request_id
    where t.token_hash = ${hash} and t.expires_at > now()`
  return row?.user_id
}

export type LinkRow = { request_id: string; user_id: string; purpose: LinkPurpose; redirect_to: string }

/** The request of a link that is still good, held until the transaction ends. */
export const lockLink = async (db: Db, hash: Buffer): Promise<LinkRow | undefined> => {
  const [row] = await db<LinkRow[]>`
    select r.id as request_id, r.user_id, r.purpose, r.redirect_to
    from auth.one_time_tokens t
    join auth.link_requests r on r.id = t.request_id
    where t.token_hash = ${hash} and t.expires_at > now()
    for update of r, t`
  return row
}

/** Ends a session that came from a link and was never used. */
export const deleteUnusedSession = async (db: Db, linkRequestId: string): Promise<void> => {
  await db`delete from auth.sessions where link_request_id = ${linkRequestId}`
}

/** Ends every link and waiting sign-up of an account, with the sessions that came from them and were never used. */
export const endLinks = async (db: Db, userId: string): Promise<void> => {
  await db`delete from auth.link_requests where user_id = ${userId}`
  await db`delete from auth.sign_ups where user_id = ${userId}`
}

/** Marks a session as used; true when this was its first use. */
export const markSessionUsed = async (db: Db, sessionId: string): Promise<boolean> => {
  const result = await db`
    update auth.sessions set link_request_id = null where id = ${sessionId} and link_request_id is not null`
  return result.count === 1
}

// --- sessions

export type NewSession = { id: string; user_id: string; amr: Amr; link_request_id: string | null } & Device

/**
 * Opens a session, if the account still has the password it was opened with (undefined: not opened with one).
 * Answers the account, or undefined when the password changed meanwhile.
 */
export const insertSession = async (db: Db, session: NewSession, refreshHash: Buffer, password?: string) => {
  const [user] = await db<UserRow[]>`
    with account as (
      update auth.users set last_sign_in_at = now()
      where id = ${session.user_id} and (${password ?? null}::text is null or encrypted_password = ${password ?? null})
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

export const sessionOfToken = async (db: Db, hash: Buffer) => {
  const [row] = await db<{ id: string; user_id: string }[]>`
    select s.id, s.user_id
    from auth.refresh_tokens t
    join auth.sessions s on s.id = t.session_id
    where t.token_hash = ${hash}`
  return row
}

export type SessionRow = { id: string; user_id: string; amr: Amr; link_request_id: string | null }

/** A session, held until the transaction ends: refreshes of one session come one after another. */
export const lockSession = async (db: Db, id: string): Promise<SessionRow | undefined> => {
  const [row] = await db<SessionRow[]>`
    select id, user_id, amr, link_request_id from auth.sessions where id = ${id} for update`
  return row
}

export const findSessionAmr = async (db: Db, id: string): Promise<Amr> => {
  const [row] = await db<{ amr: Amr }[]>`select amr from auth.sessions where id = ${id}`
  return row?.amr ?? []
}

export type TokenState = { used: boolean; used_recently: boolean; newest: Buffer }

/** What a refresh token is to its session, whose row the caller holds. */
export const tokenState = async (db: Db, sessionId: string, hash: Buffer, reuseIntervalS: number) => {
  const [row] = await db<TokenState[]>`
    select t.used_at is not null as used, newest.token_hash as newest,
      coalesce(t.used_at > clock_timestamp() - make_interval(secs => ${reuseIntervalS}::float8), false) as used_recently
    from auth.refresh_tokens t
    join auth.refresh_tokens newest on newest.session_id = t.session_id and newest.used_at is null
    where t.token_hash = ${hash} and t.session_id = ${sessionId}`
  return row
}

/** Exchanges a session's newest token for its child. */
export const rotateToken = async (db: Db, sessionId: string, parent: Buffer, child: Buffer): Promise<void> => {
  // two statements: the index that allows one newest token is checked row by row
  await db`update auth.refresh_tokens set used_at = clock_timestamp() where token_hash = ${parent}`
  await db`
    with old as (
      -- a month is enough to notice a stolen copy; the family of a session that lasts for years stays small
      delete from auth.refresh_tokens where session_id = ${sessionId} and used_at < now() - interval '30 days'
    ), seen as (
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

/** False when there is no confirmed account of that address. */
export const setAdmin = async (db: Db, email: string, isAdmin: boolean): Promise<boolean> => {
  const result = await db`
    update auth.users set is_admin = ${isAdmin}, updated_at = now()
    where email = ${email} and email_confirmed_at is not null`
  return result.count === 1
}

export const listAdmins = async (db: Db): Promise<string[]> => {
  const rows = await db<{ email: string }[]>`select email from auth.users where is_admin order by email`
  return rows.map((row) => row.email)
}

/** All admins, held until the transaction ends. */
export const lockAdmins = async (db: Db): Promise<string[]> => {
  const rows = await db<{ email: string }[]>`
    select email from auth.users where is_admin order by id for no key update`
  return rows.map((row) => row.email)
}

// --- tidying

/** Removes what is of no more use: ended links, unused sessions of ended links, sign-ups nobody confirmed, sleeping sessions. */
export const deleteStale = async (db: Db): Promise<void> => {
  await db`delete from auth.one_time_tokens where expires_at < now()`
  // a mail is tried for three days, and its link then lives for seven at most
  await db`delete from auth.link_requests where created_at < now() - interval '14 days'`
  await db`
    delete from auth.users
    where email_confirmed_at is null and coalesce(confirmation_sent_at, created_at) < now() - interval '30 days'`
  await db`delete from auth.sessions where refreshed_at < now() - interval '1 year'`
}
