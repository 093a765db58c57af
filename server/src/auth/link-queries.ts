import type { Locale } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'
import type { Metadata } from './metadata.ts'
import { metadataJson } from './user-queries.ts'

// Pending sign-ups, requests for links, and the links themselves.

export type LinkPurpose = 'signup' | 'magiclink' | 'recovery'

type NewSignUp = {
  id: string
  user_id: string
  encrypted_password: string
  user_metadata: Metadata
  /** Sha256 of the browser's secret; null when it sent none. */
  proof_hash: Buffer | null
  /** What it agreed to, and in which language; null: nothing. */
  terms_version: string | null
  terms_locale: Locale | null
}

/** Adds a pending sign-up to those of its account. */
export const insertSignUp = async (db: Db, signUp: NewSignUp): Promise<void> => {
  await db`
    insert into auth.sign_ups (id, user_id, encrypted_password, user_metadata, proof_hash, terms_version, terms_locale)
    values (${signUp.id}, ${signUp.user_id}, ${signUp.encrypted_password}, ${metadataJson(db, signUp.user_metadata)},
      ${signUp.proof_hash}, ${signUp.terms_version}, ${signUp.terms_locale})`
}

export type SignUpRow = Omit<NewSignUp, 'id' | 'user_id'> & { created_at: string }

export const findSignUp = async (db: Db, id: string): Promise<SignUpRow | undefined> => {
  const [row] = await db<SignUpRow[]>`
    select encrypted_password, user_metadata, proof_hash, terms_version, terms_locale, created_at
    from auth.sign_ups where id = ${id}`
  return row
}

/** Finds an account's pending sign-up; undefined when there is none, or more than one. */
export const findOnlySignUp = async (db: Db, userId: string): Promise<SignUpRow | undefined> => {
  const rows = await db<SignUpRow[]>`
    select encrypted_password, user_metadata, proof_hash, terms_version, terms_locale, created_at
    from auth.sign_ups where user_id = ${userId} limit 2`
  return rows.length === 1 ? rows[0] : undefined
}

/** Lists the ids of an account's pending sign-ups. */
export const listSignUpIds = async (db: Db, userId: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`select id from auth.sign_ups where user_id = ${userId}`
  return rows.map((row) => row.id)
}

/** Reserves an account's pending sign-ups for the session of the link that confirmed the address. */
export const reserveSignUps = async (db: Db, userId: string, sessionId: string): Promise<void> => {
  await db`update auth.sign_ups set session_id = ${sessionId} where user_id = ${userId}`
}

/** Lists the sign-ups reserved for a session that began within `maxAgeS` seconds, the newest first. */
export const listReservedSignUps = (db: Db, sessionId: string, maxAgeS: number) =>
  db<SignUpRow[]>`
    select u.encrypted_password, u.user_metadata, u.proof_hash, u.terms_version, u.terms_locale, u.created_at
    from auth.sign_ups u
    join auth.sessions s on s.id = u.session_id
    where s.id = ${sessionId} and s.created_at > now() - make_interval(secs => ${maxAgeS}::float8)
    order by u.created_at desc, u.id desc`

/**
 * Returns whether a session may keep the password of the only sign-up with its address: a session that a sign-up's link
 * opened within `maxAgeS` seconds, used or not.
 */
export const mayKeepOnlySignUp = async (db: Db, sessionId: string, maxAgeS: number): Promise<boolean> => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count
    from auth.sessions s
    left join auth.link_requests r on r.id = s.link_request_id
    join auth.sign_ups u on u.user_id = s.user_id and (u.session_id = s.id or r.purpose = 'signup')
    where s.id = ${sessionId} and s.created_at > now() - make_interval(secs => ${maxAgeS}::float8)`
  return row?.count === 1
}

/** Deletes every sign-up of an account that waits for its link. */
export const deleteSignUps = async (db: Db, userId: string): Promise<void> => {
  await db`delete from auth.sign_ups where user_id = ${userId}`
}

type NewLinkRequest = {
  id: string
  user_id: string
  purpose: LinkPurpose
  /** The sign-up it belongs to; null when it was asked for again and several wait. */
  sign_up_id: string | null
  redirect_to: string
}

/** Inserts a request for an email with a link; older links of the same purpose and sign-up are revoked. */
export const replaceLinkRequest = async (db: Db, request: NewLinkRequest): Promise<void> => {
  const { user_id, purpose, sign_up_id } = request
  await db`
    delete from auth.link_requests
    where user_id = ${user_id} and purpose = ${purpose} and sign_up_id is not distinct from ${sign_up_id}::uuid`
  await db`insert into auth.link_requests ${db(request)}`
  if (purpose === 'signup') await db`update auth.users set confirmation_sent_at = now() where id = ${user_id}`
  else await db`update auth.users set recovery_sent_at = now() where id = ${user_id}`
}

type RenderedRequest = { id: string; purpose: LinkPurpose; redirect_to: string; email: string; sign_up_count: number }

/** Finds the request that an email with a link is about, with the address of the account; undefined when it is gone. */
export const findLinkRequest = async (db: Db, id: string) => {
  const [row] = await db<RenderedRequest[]>`
    select r.id, r.purpose, r.redirect_to, u.email,
      (select count(*)::int from auth.sign_ups s where s.user_id = r.user_id) as sign_up_count
    from auth.link_requests r
    join auth.users u on u.id = r.user_id
    where r.id = ${id}`
  return row
}

/** Stores the hash of a link's token. Returns false, and stores nothing, when the request is gone by now. */
export const insertLinkToken = async (db: Db, hash: Buffer, requestId: string, ttlS: number): Promise<boolean> => {
  const result = await db`
    insert into auth.one_time_tokens (token_hash, request_id, expires_at)
    select ${hash}::bytea, id, now() + make_interval(secs => ${ttlS}::float8) from auth.link_requests where id = ${requestId}
    for key share`
  return result.count === 1
}

/** Stores the hash of a code, in place of any older one of the address, with all tries left. */
export const replaceCode = async (
  db: Db,
  addressHash: Buffer,
  codeHash: Buffer,
  requestId: string,
  ttlS: number,
): Promise<void> => {
  await db`
    insert into auth.email_codes (address_hash, code_hash, request_id, tries, expires_at)
    values (${addressHash}, ${codeHash}, ${requestId}, 0, now() + make_interval(secs => ${ttlS}::float8))
    on conflict (address_hash) do update set
      code_hash = excluded.code_hash, request_id = excluded.request_id, tries = 0, expires_at = excluded.expires_at`
}

/** What a try is compared with: nothing (null) when the address has no code, or none that is still valid. */
type TriedCode = { code_hash: Buffer | null; request_id: string | null; tries: number }

/**
 * Counts a try with the code of an address, and returns that code. Does the same work for every address: one that has no code gets a
 * row for its tries.
 */
export const tryCode = async (db: Db, addressHash: Buffer, ttlS: number): Promise<TriedCode> => {
  const [row] = await db<TriedCode[]>`
    insert into auth.email_codes as c (address_hash, tries, expires_at)
    values (${addressHash}, 1, now() + make_interval(secs => ${ttlS}::float8))
    on conflict (address_hash) do update set tries = c.tries + 1
    returning tries,
      case when expires_at > now() then code_hash end as code_hash,
      case when expires_at > now() then request_id end as request_id`
  return row!
}

/** Returns whose request it is; undefined when it is gone. */
export const findRequestOwner = async (db: Db, requestId: string): Promise<string | undefined> => {
  const [row] = await db<{ user_id: string }[]>`select user_id from auth.link_requests where id = ${requestId}`
  return row?.user_id
}

/** Takes a code, with the caller's lock on the account; false when somebody else took it at this moment. */
export const takeCode = async (db: Db, addressHash: Buffer, codeHash: Buffer): Promise<boolean> => {
  const { count } = await db`
    delete from auth.email_codes where address_hash = ${addressHash} and code_hash = ${codeHash}`
  return count === 1
}

/** Returns the owner of a link, if it is still valid. */
export const findLinkOwner = async (db: Db, hash: Buffer): Promise<string | undefined> => {
  const [row] = await db<{ user_id: string }[]>`
    select r.user_id
    from auth.one_time_tokens t
    join auth.link_requests r on r.id = t.request_id
    where t.token_hash = ${hash} and t.expires_at > now()`
  return row?.user_id
}

export type LinkRow = {
  request_id: string
  user_id: string
  purpose: LinkPurpose
  sign_up_id: string | null
  redirect_to: string
}

/** Locks a link that is still valid, with its request, until the transaction ends. */
export const lockLink = async (db: Db, hash: Buffer): Promise<LinkRow | undefined> => {
  const [row] = await db<LinkRow[]>`
    select r.id as request_id, r.user_id, r.purpose, r.sign_up_id, r.redirect_to
    from auth.one_time_tokens t
    join auth.link_requests r on r.id = t.request_id
    where t.token_hash = ${hash} and t.expires_at > now()
    for update of r, t`
  return row
}

/** Deletes the session that came from a link and was never used. */
export const deleteUnusedSession = async (db: Db, linkRequestId: string): Promise<void> => {
  await db`delete from auth.sessions where link_request_id = ${linkRequestId}`
}

/** Marks a session from a link as used. Returns the link, or undefined when the session has none or was used before. */
export const takeSessionLink = async (db: Db, sessionId: string) => {
  const [link] = await db<{ purpose: LinkPurpose }[]>`
    update auth.sessions s set link_request_id = null
    from auth.link_requests r
    where s.id = ${sessionId} and r.id = s.link_request_id
    returning r.purpose`
  return link
}

/** Revokes every link of an account, with the sessions that came from them and were never used. */
export const deleteLinks = async (db: Db, userId: string): Promise<void> => {
  await db`delete from auth.link_requests where user_id = ${userId}`
}

/** Revokes the links of all accounts, also those whose email is not written yet. */
export const deleteEveryLink = async (db: Db): Promise<void> => {
  await db`delete from auth.link_requests`
}

/** Revokes every link and pending sign-up of an account. */
export const revokeLinks = async (db: Db, userId: string): Promise<void> => {
  await deleteLinks(db, userId)
  await deleteSignUps(db, userId)
}
