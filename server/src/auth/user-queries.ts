import type { Db } from '../db/pool.ts'
import type { Metadata } from './metadata.ts'

export type UserRow = {
  id: string
  email: string
  /** Who it belongs to (`hashPerson`). */
  person_hash: Buffer
  encrypted_password: string | null
  email_confirmed_at: string | null
  confirmation_sent_at: string | null
  recovery_sent_at: string | null
  last_sign_in_at: string | null
  user_metadata: Metadata
  is_admin: boolean
  created_at: string
  updated_at: string
}

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

type SignInRow = UserRow & { waiting_password: string | null }

/** Finds an account, with the password of its newest pending sign-up. */
export const findUserForSignIn = async (db: Db, email: string): Promise<SignInRow | undefined> => {
  const [user] = await db<SignInRow[]>`
    select u.*, s.encrypted_password as waiting_password
    from auth.users u
    left join lateral (
      select encrypted_password from auth.sign_ups where user_id = u.id order by created_at desc, id desc limit 1
    ) s on true
    where u.email = ${email}`
  return user
}

/**
 * Finds or creates the account of an address, and locks it until the transaction ends.
 *
 * @param personHash of the address (`hashPerson`)
 */
export const findOrCreateUser = async (db: Db, id: string, email: string, personHash: Buffer): Promise<UserRow> => {
  // the update changes nothing of a confirmed account: it locks it, and waits for one that is being deleted, to create it
  // again
  const [user] = await db<UserRow[]>`
    insert into auth.users (id, email, person_hash) values (${id}, ${email}, ${personHash})
    on conflict (email) do update set
      person_hash = case when auth.users.email_confirmed_at is null then excluded.person_hash else auth.users.person_hash end
    returning *`
  return user! // created or locked
}

/** Returns whether an address has a confirmed account. */
export const isEmailConfirmed = async (db: Db, email: string): Promise<boolean> => {
  const rows = await db`select from auth.users where email = ${email} and email_confirmed_at is not null`
  return rows.length === 1
}

/** Records a sign-in by a link, which confirms the address if that is still to do; the caller has locked the row. */
export const markSignedIn = async (db: Db, id: string): Promise<UserRow> => {
  const [user] = await db<UserRow[]>`
    update auth.users set
      email_confirmed_at = coalesce(email_confirmed_at, now()), last_sign_in_at = now(),
      updated_at = case when email_confirmed_at is null then now() else updated_at end
    where id = ${id}
    returning *`
  return user! // locked by the caller
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
      email_confirmed_at = now(), encrypted_password = ${passwordHash}, user_metadata = ${db.json(metadata)}, updated_at = now()
    where id = ${id} and email_confirmed_at is null`
}

/** Replaces the hash of a password, unless the password was changed since the old one was read. */
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
    update auth.users set encrypted_password = ${passwordHash}, user_metadata = ${db.json(metadata)}, updated_at = now()
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

/**
 * Returns whether somebody besides these accounts is an admin who can sign in, and is not suspended. The caller has locked all admins.
 */
export const hasOtherAdmin = async (db: Db, ids: string[]): Promise<boolean> => {
  const [row] = await db<{ other: boolean }[]>`
    select exists (
      select from auth.users
      where is_admin and not id = any(${ids}::uuid[])
        and not coalesce(is_sanctioned(person_hash, 'suspend'), false)
    ) as other`
  return row!.other
}
