import type { Db } from '../db/pool.ts'
import type { Metadata } from './metadata.ts'

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

export const isBanned = ({ banned_until }: { banned_until: string | null }): boolean =>
  banned_until !== null && Date.parse(banned_until) > Date.now()

/** Wraps metadata as a parameter of a statement. */
export const metadataJson = (db: Db, value: Metadata) => db.json(value as Parameters<Db['json']>[0])

export const findUser = async (db: Db, id: string): Promise<UserRow | undefined> => {
  const [user] = await db<UserRow[]>`select * from auth.users where id = ${id}`
  return user
}

// Transactions here lock the account first, then its session, then its links, so that no two wait for each other.
// "no key": rows that only refer to the account (a message, a vehicle) can be written meanwhile.

/** Locks an account until the transaction ends. */
export const lockUser = async (db: Db, id: string): Promise<UserRow | undefined> => {
  const [user] = await db<UserRow[]>`select * from auth.users where id = ${id} for no key update`
  return user
}

/** Locks the account of an address until the transaction ends. */
export const lockUserByEmail = async (db: Db, email: string): Promise<UserRow | undefined> => {
  const [user] = await db<UserRow[]>`select * from auth.users where email = ${email} for no key update`
  return user
}

export type SignInRow = UserRow & { waiting_password: string | null }

/** Finds an account, with the password of its pending sign-up. */
export const findUserForSignIn = async (db: Db, email: string): Promise<SignInRow | undefined> => {
  const [user] = await db<SignInRow[]>`
    select u.*, s.encrypted_password as waiting_password
    from auth.users u
    left join auth.sign_ups s on s.user_id = u.id
    where u.email = ${email}`
  return user
}

/** Finds or creates the account of an address, and locks it until the transaction ends. */
export const findOrCreateUser = async (db: Db, id: string, email: string): Promise<UserRow> => {
  // the update changes nothing: it locks the account, and waits for one that is being deleted, to create it again
  const [user] = await db<UserRow[]>`
    insert into auth.users (id, email) values (${id}, ${email})
    on conflict (email) do update set updated_at = auth.users.updated_at
    returning *`
  return user! // created or locked
}

/** Confirms the account's address and sets the password and metadata that come with it. */
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

/** Sets password and metadata; the caller has locked the row. */
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
  return user! // locked by the caller
}

export type LockedAccount = { id: string; email: string; is_admin: boolean }

/**
 * Locks accounts until the transaction ends, in the order of their ids, so that two who lock each other's accounts
 * never deadlock. Accounts that are gone are left out.
 *
 * @param includeAdmins lock all admins too
 */
export const lockAccounts = (db: Db, ids: string[], includeAdmins: boolean) =>
  db<LockedAccount[]>`
    select id, email, is_admin from auth.users
    where id = any(${ids}::uuid[]) or (${includeAdmins} and is_admin)
    order by id
    for no key update`

/** Locks an account exclusively: waits for rows that are just being made to refer to it, and prevents new ones. */
export const lockAccountExclusively = async (db: Db, id: string): Promise<void> => {
  await db`select 1 from auth.users where id = ${id} for update`
}

/** Deletes an account with its sessions, links and everything else that refers to it. */
export const deleteUser = async (db: Db, id: string): Promise<void> => {
  await db`delete from auth.users where id = ${id}`
}

// --- admins

/** Sets the admin role; the caller has locked the row. */
export const setAdmin = async (db: Db, id: string, isAdmin: boolean): Promise<void> => {
  await db`update auth.users set is_admin = ${isAdmin}, updated_at = now() where id = ${id}`
}

export const listAdminEmails = async (db: Db): Promise<string[]> => {
  const rows = await db<{ email: string }[]>`select email from auth.users where is_admin order by email`
  return rows.map((row) => row.email)
}

/** Locks all admins until the transaction ends. */
export const lockAdmins = (db: Db) =>
  db<{ id: string; email: string }[]>`
    select id, email from auth.users where is_admin order by id for no key update`
