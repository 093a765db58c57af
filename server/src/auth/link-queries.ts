import type { Locale } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'
import type { Metadata } from './metadata.ts'
import type { LinkPurpose } from './redirects.ts'
import { metadataJson } from './user-queries.ts'

// Pending sign-ups, requests for links, and the links themselves.

export type NewSignUp = { id: string; user_id: string; encrypted_password: string; user_metadata: Metadata }

/** Replaces an account's pending sign-up. The older one's links are revoked with it, which the new email mentions. */
export const replaceSignUp = async (db: Db, signUp: NewSignUp): Promise<void> => {
  const { count } = await db`delete from auth.sign_ups where user_id = ${signUp.user_id}`
  await db`
    insert into auth.sign_ups (id, user_id, encrypted_password, user_metadata, replaces_earlier)
    values (${signUp.id}, ${signUp.user_id}, ${signUp.encrypted_password}, ${metadataJson(db, signUp.user_metadata)},
      ${count > 0})`
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

/** Inserts a request for an email with a link; older links of the same purpose are revoked. */
export const replaceLinkRequest = async (db: Db, request: NewLinkRequest): Promise<void> => {
  const { user_id, purpose } = request
  await db`delete from auth.link_requests where user_id = ${user_id} and purpose = ${purpose}`
  await db`insert into auth.link_requests ${db(request)}`
  if (purpose === 'signup') await db`update auth.users set confirmation_sent_at = now() where id = ${user_id}`
  else await db`update auth.users set recovery_sent_at = now() where id = ${user_id}`
}

/** A call for a link, as it came: whether the address has an account has not been looked up yet. */
export type QueuedLinkRequest = {
  id: string
  email: string
  call: 'otp' | 'resend' | 'recover'
  /** One of our pages; null: the page for the link's purpose in this language. */
  redirect_to: string | null
  locale: Locale
}

export const enqueueLinkRequest = async (db: Db, request: QueuedLinkRequest): Promise<void> => {
  await db`insert into auth.link_request_queue ${db(request)}`
}

/** Lists the ids of queued requests, oldest first. */
export const listQueuedLinkRequestIds = async (db: Db): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`select id from auth.link_request_queue order by id`
  return rows.map((row) => row.id)
}

/**
 * Takes a request from the queue; undefined when another process has it, or had it. It is back if the transaction
 * fails.
 */
export const dequeueLinkRequest = async (db: Db, id: string): Promise<QueuedLinkRequest | undefined> => {
  const [request] = await db<QueuedLinkRequest[]>`
    delete from auth.link_request_queue
    where id = (select id from auth.link_request_queue where id = ${id} for update skip locked)
    returning id, email, call, redirect_to, locale`
  return request
}

/** Finds the request that an email with a link is about; undefined when it is gone. */
export const findLinkRequest = async (db: Db, id: string) => {
  const [row] = await db<{ id: string; purpose: LinkPurpose; redirect_to: string; replaces_earlier: boolean }[]>`
    select r.id, r.purpose, r.redirect_to, coalesce(s.replaces_earlier, false) as replaces_earlier
    from auth.link_requests r
    left join auth.sign_ups s on s.id = r.sign_up_id
    where r.id = ${id}`
  return row
}

/** Stores the hash of a link's token. Returns false, and stores nothing, when the request is gone by now. */
export const insertLinkToken = async (db: Db, hash: Buffer, requestId: string, ttlS: number): Promise<boolean> => {
  const result = await db`
    insert into auth.one_time_tokens (token_hash, request_id, expires_at)
    select ${hash}::bytea, id, now() + make_interval(secs => ${ttlS}::float8) from auth.link_requests where id = ${requestId}`
  return result.count === 1
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

export type LinkRow = { request_id: string; user_id: string; purpose: LinkPurpose; redirect_to: string }

/** Locks a link that is still valid, with its request, until the transaction ends. */
export const lockLink = async (db: Db, hash: Buffer): Promise<LinkRow | undefined> => {
  const [row] = await db<LinkRow[]>`
    select r.id as request_id, r.user_id, r.purpose, r.redirect_to
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

/** Revokes every link and pending sign-up of an account, with the sessions that came from them and were never used. */
export const revokeLinks = async (db: Db, userId: string): Promise<void> => {
  await db`delete from auth.link_requests where user_id = ${userId}`
  await db`delete from auth.sign_ups where user_id = ${userId}`
}
