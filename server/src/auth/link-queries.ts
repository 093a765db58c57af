import type { Locale } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'
import type { Metadata } from './metadata.ts'

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
    values (${signUp.id}, ${signUp.user_id}, ${signUp.encrypted_password}, ${db.json(signUp.user_metadata)},
      ${signUp.proof_hash}, ${signUp.terms_version}, ${signUp.terms_locale})`
}

export type SignUpRow = Omit<NewSignUp, 'user_id'> & {
  created_at: string
  /** The session of the link that confirmed the address; null until then. */
  session_id: string | null
}

/** Finds the pending sign-ups of an account, newest first. */
export const findSignUps = (db: Db, userId: string) =>
  db<SignUpRow[]>`
    select id, encrypted_password, user_metadata, proof_hash, terms_version, terms_locale, created_at, session_id
    from auth.sign_ups where user_id = ${userId} order by created_at desc, id desc`

/** Reserves an account's pending sign-ups for the session of the link that confirmed the address. */
export const reserveSignUps = async (db: Db, userId: string, sessionId: string): Promise<void> => {
  await db`update auth.sign_ups set session_id = ${sessionId} where user_id = ${userId}`
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

type RenderedRequest = Omit<NewLinkRequest, 'sign_up_id'> & { email: string; sign_up_count: number }

/** Finds a request for an email with a link, with the address of the account; undefined when it is gone. */
export const findLinkRequest = async (db: Db, id: string) => {
  const [row] = await db<RenderedRequest[]>`
    select r.id, r.user_id, r.purpose, r.redirect_to, u.email,
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

/** Takes a code, with the caller's lock on the account; false when somebody else took it at this moment. */
export const takeCode = async (db: Db, addressHash: Buffer, codeHash: Buffer): Promise<boolean> => {
  const { count } = await db`
    delete from auth.email_codes where address_hash = ${addressHash} and code_hash = ${codeHash}`
  return count === 1
}

export type LinkRow = {
  request_id: string
  user_id: string
  purpose: LinkPurpose
  sign_up_id: string | null
  redirect_to: string
}

/** Finds a link that is still valid, with its request. `lock` keeps both until the transaction ends; lock the account before. */
export const findLink = async (db: Db, hash: Buffer, lock?: 'lock'): Promise<LinkRow | undefined> => {
  const [row] = await db<LinkRow[]>`
    select r.id as request_id, r.user_id, r.purpose, r.sign_up_id, r.redirect_to
    from auth.one_time_tokens t
    join auth.link_requests r on r.id = t.request_id
    where t.token_hash = ${hash} and t.expires_at > now()
    ${lock ? db`for update of r, t` : db``}`
  return row
}

/** Deletes the session that came from a link and was never used. */
export const deleteUnusedSession = async (db: Db, linkRequestId: string): Promise<void> => {
  await db`delete from auth.sessions where link_request_id = ${linkRequestId}`
}

/** Returns what the link was for that a session came from; undefined when it came from none, or was used. */
export const findSessionLinkPurpose = async (db: Db, sessionId: string): Promise<LinkPurpose | undefined> => {
  const [link] = await db<{ purpose: LinkPurpose }[]>`
    select r.purpose from auth.sessions s join auth.link_requests r on r.id = s.link_request_id where s.id = ${sessionId}`
  return link?.purpose
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

/** Revokes every link and pending sign-up of an account. */
export const revokeLinks = async (db: Db, userId: string): Promise<void> => {
  await deleteLinks(db, userId)
  await deleteSignUps(db, userId)
}
