import type { Db } from '../db/pool.ts'
import { markReachable } from '../email/returned-mails.ts'
import { RETENTION } from '../retention.ts'

export type EmailChangeRow = {
  id: string
  user_id: string
  new_email: string
  requested_at: string
  expires_at: string
  current_confirmed_at: string | null
  new_confirmed_at: string | null
}

/** Matches a change `c` that can still be confirmed. */
export const isOpen = (db: Db) => db`c.requested_at > now() - ${RETENTION.emailChanges}::interval`

const changeColumns = (db: Db) => db`
  c.id, c.user_id, c.new_email, c.requested_at, c.requested_at + ${RETENTION.emailChanges}::interval as expires_at,
  c.current_confirmed_at, c.new_confirmed_at`

/** Finds the change of an account that waits. */
export const findEmailChange = async (db: Db, userId: string): Promise<EmailChangeRow | undefined> => {
  const [row] = await db<EmailChangeRow[]>`
    select ${changeColumns(db)} from auth.email_changes c where c.user_id = ${userId} and ${isOpen(db)}`
  return row
}

/** Finds the change that an email is about; undefined when it is over, or newer emails were sent. */
export const findEmailChangeById = async (db: Db, id: string): Promise<EmailChangeRow | undefined> => {
  const [row] = await db<EmailChangeRow[]>`
    select ${changeColumns(db)} from auth.email_changes c where c.id = ${id} and ${isOpen(db)}`
  return row
}

/** Stores a change in place of the one that waits, whose links end; the caller has locked the account. */
export const replaceEmailChange = async (db: Db, id: string, userId: string, newEmail: string): Promise<void> => {
  await deleteEmailChange(db, userId)
  await db`insert into auth.email_changes (id, user_id, new_email) values (${id}, ${userId}, ${newEmail})`
}

/** Gives the change that waits a new id, for new emails, and ends the links that confirm it. Returns the change; undefined when none waits. */
export const renewEmailChange = async (db: Db, userId: string, newId: string): Promise<EmailChangeRow | undefined> => {
  await db`
    delete from auth.account_link_tokens t using auth.email_changes c
    where c.user_id = ${userId} and t.change_id = c.id`
  const [row] = await db<EmailChangeRow[]>`
    update auth.email_changes c set id = ${newId} where c.user_id = ${userId} and ${isOpen(db)}
    returning ${changeColumns(db)}`
  return row
}

/** Deletes the change that waits, and with it its links. */
export const deleteEmailChange = async (db: Db, userId: string): Promise<void> => {
  await db`delete from auth.email_changes where user_id = ${userId}`
}

/** Records that a mailbox confirmed the change, and returns it. */
export const confirmEmailChange = async (db: Db, id: string, side: 'current' | 'new'): Promise<EmailChangeRow> => {
  const [row] = await db<EmailChangeRow[]>`
    update auth.email_changes c set
      current_confirmed_at = case when ${side === 'current'} then now() else c.current_confirmed_at end,
      new_confirmed_at = case when ${side === 'new'} then now() else c.new_confirmed_at end
    where c.id = ${id}
    returning ${changeColumns(db)}`
  return row! // locked with its link by the caller
}

// --- the change itself

/** Sets the address of an account, whose row the caller has locked. */
export const setEmail = async (db: Db, userId: string, email: string): Promise<void> => {
  await db`update auth.users set email = ${email}, updated_at = now() where id = ${userId}`
  await markReachable(db, userId)
}

type FormerAddressRow = {
  id: string
  user_id: string
  email: string
  changed_at: string
  undo_until: string
  mailbox_hash: Buffer | null
}

const formerColumns = (db: Db) => db`
  f.id, f.user_id, f.email, f.changed_at,
  f.changed_at + ${RETENTION.formerAddresses}::interval as undo_until, f.mailbox_hash`

export const insertFormerAddress = async (
  db: Db,
  former: Pick<FormerAddressRow, 'id' | 'user_id' | 'email' | 'mailbox_hash'>,
): Promise<void> => {
  await db`
    insert into auth.former_addresses (id, user_id, email, mailbox_hash)
    values (${former.id}, ${former.user_id}, ${former.email}, ${former.mailbox_hash})`
}

/** Lists the addresses of an account that a mailbox can still restore, the latest first. */
export const listFormerAddresses = (db: Db, userId: string) =>
  db<FormerAddressRow[]>`
    select ${formerColumns(db)} from auth.former_addresses f
    where f.user_id = ${userId} and f.changed_at > now() - ${RETENTION.formerAddresses}::interval
    order by f.changed_at desc`

export const findFormerAddress = async (db: Db, id: string): Promise<FormerAddressRow | undefined> => {
  const [row] = await db<FormerAddressRow[]>`
    select ${formerColumns(db)} from auth.former_addresses f
    where f.id = ${id} and f.changed_at > now() - ${RETENTION.formerAddresses}::interval`
  return row
}

/** Finds the address that an account had at a moment; undefined when it has not changed since. */
export const findAddressAt = async (db: Db, userId: string, at: string): Promise<string | undefined> => {
  const [row] = await db<{ email: string }[]>`
    select email from auth.former_addresses where user_id = ${userId} and changed_at >= ${at} order by changed_at limit 1`
  return row?.email
}

/** Deletes the changes of an account since a moment, which are undone; returns them. */
export const takeFormerAddresses = (db: Db, userId: string, since: string) =>
  db<{ mailbox_hash: Buffer | null }[]>`
    delete from auth.former_addresses where user_id = ${userId} and changed_at >= ${since} returning mailbox_hash`

/** Deletes what is over. A mailbox is somebody's for as long as anything is kept about that person. */
export const cleanUpEmailChanges = async (db: Db): Promise<void> => {
  await db`delete from auth.email_changes c where not ${isOpen(db)}`
  await db`
    delete from auth.former_addresses where changed_at <= now() - ${RETENTION.formerAddresses}::interval`
  await db`
    delete from auth.mailbox_people m
    where not exists (select from auth.users u where u.person_hash = m.person_hash)
      and not exists (select from subjects p where p.person_hash = m.person_hash)
      and not exists (select from challenges_started c where c.person_hash = m.person_hash)`
}
