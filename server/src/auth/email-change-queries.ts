import type { EmailLinkAction } from '#contract/email-change.ts'
import type { Db } from '../db/pool.ts'
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

const isOpen = (db: Db) => db`c.requested_at > now() - ${RETENTION.emailChanges.period}::interval`

const changeColumns = (db: Db) => db`
  c.id, c.user_id, c.new_email, c.requested_at, c.requested_at + ${RETENTION.emailChanges.period}::interval as expires_at,
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

/**
 * Gives the change that waits a new id, for new emails, and ends the links that confirm it; the one that stops it stays. Returns the
 * change; undefined when none waits.
 */
export const renewEmailChange = async (db: Db, userId: string, newId: string): Promise<EmailChangeRow | undefined> => {
  await db`
    delete from auth.email_change_tokens t using auth.email_changes c
    where c.user_id = ${userId} and t.change_id = c.id and t.purpose <> 'stop'`
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

// --- links

/** Stores a link about a change or a former address. Returns false, and stores nothing, when that is over by now. */
export const insertEmailLink = async (
  db: Db,
  hash: Buffer,
  purpose: EmailLinkRow['purpose'],
  refId: string,
): Promise<boolean> => {
  const { count } = await db`
    insert into auth.email_change_tokens (token_hash, purpose, change_id, former_address_id)
    select ${hash}::bytea, ${purpose}, id, null from auth.email_changes where id = ${refId}
    union all select ${hash}::bytea, ${purpose}, null, id from auth.former_addresses where id = ${refId}`
  return count === 1
}

export type EmailLinkRow = {
  user_id: string
  purpose: 'confirm_current' | 'confirm_new' | 'stop' | 'undo'
  /** The change that it confirms or stops, or the former address it restores. */
  ref_id: string
}

/** What the page of each link offers to do. */
export const EMAIL_LINK_ACTIONS: Record<EmailLinkRow['purpose'], EmailLinkAction> = {
  confirm_current: 'confirm',
  confirm_new: 'confirm',
  stop: 'stop',
  undo: 'undo',
}

const selectLink = (db: Db, hash: Buffer) => db`
  select coalesce(c.user_id, f.user_id) as user_id, t.purpose, coalesce(c.id, f.id) as ref_id
  from auth.email_change_tokens t
  left join auth.email_changes c on c.id = t.change_id and ${isOpen(db)}
  left join auth.former_addresses f on f.id = t.former_address_id
    and f.changed_at > now() - ${RETENTION.formerAddresses.period}::interval
  where t.token_hash = ${hash} and (c.id is not null or f.id is not null)`

/** Finds a link that still works. */
export const findEmailLink = async (db: Db, hash: Buffer): Promise<EmailLinkRow | undefined> => {
  const [row] = await db<EmailLinkRow[]>`${selectLink(db, hash)}`
  return row
}

/** Spends a link, once; the caller has locked the account. Other emails with a link of that purpose end with it. */
export const spendEmailLink = async (db: Db, hash: Buffer): Promise<EmailLinkRow | undefined> => {
  const [row] = await db<EmailLinkRow[]>`${selectLink(db, hash)} for update of t`
  if (row) {
    await db`
      delete from auth.email_change_tokens
      where purpose = ${row.purpose} and (change_id = ${row.ref_id} or former_address_id = ${row.ref_id})`
  }
  return row
}

// --- the change itself

/** Sets the address of an account, whose row the caller has locked. */
export const setEmail = async (db: Db, userId: string, email: string): Promise<void> => {
  await db`update auth.users set email = ${email}, updated_at = now() where id = ${userId}`
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
  f.changed_at + ${RETENTION.formerAddresses.period}::interval as undo_until, f.mailbox_hash`

export const insertFormerAddress = async (
  db: Db,
  former: Pick<FormerAddressRow, 'id' | 'email' | 'mailbox_hash'> & { change_id: string },
): Promise<void> => {
  await db`
    insert into auth.former_addresses (id, user_id, email, requested_at, mailbox_hash)
    select ${former.id}, user_id, ${former.email}, requested_at, ${former.mailbox_hash}::bytea
    from auth.email_changes where id = ${former.change_id}`
}

/** Lists the addresses of an account that a mailbox can still restore, the latest first. */
export const listFormerAddresses = (db: Db, userId: string) =>
  db<FormerAddressRow[]>`
    select ${formerColumns(db)} from auth.former_addresses f
    where f.user_id = ${userId} and f.changed_at > now() - ${RETENTION.formerAddresses.period}::interval
    order by f.changed_at desc`

export const findFormerAddress = async (db: Db, id: string): Promise<FormerAddressRow | undefined> => {
  const [row] = await db<FormerAddressRow[]>`
    select ${formerColumns(db)} from auth.former_addresses f
    where f.id = ${id} and f.changed_at > now() - ${RETENTION.formerAddresses.period}::interval`
  return row
}

/** Deletes a change that is undone, and every later one of the account; returns all of them. */
export const takeFormerAddresses = (db: Db, id: string) =>
  db<{ mailbox_hash: Buffer | null }[]>`
    delete from auth.former_addresses later using auth.former_addresses f
    where f.id = ${id} and later.user_id = f.user_id and later.changed_at >= f.changed_at
    returning later.mailbox_hash`

/** Removes the second factors that were added since a change was requested, perhaps by the requester. */
export const deleteFactorsSince = async (db: Db, formerAddressId: string): Promise<void> => {
  await db`
    delete from auth.factors t using auth.former_addresses f
    where f.id = ${formerAddressId} and t.user_id = f.user_id and coalesce(t.verified_at, t.created_at) >= f.requested_at`
}

/** Deletes what is over. A mailbox is somebody's for as long as anything is kept about that person. */
export const cleanUpEmailChanges = async (db: Db): Promise<void> => {
  await db`delete from auth.email_changes c where not ${isOpen(db)}`
  await db`
    delete from auth.former_addresses where changed_at <= now() - ${RETENTION.formerAddresses.period}::interval`
  await db`
    delete from auth.mailbox_people m
    where not exists (select from auth.users u where u.person_hash = m.person_hash)
      and not exists (select from subjects p where p.person_hash = m.person_hash)
      and not exists (select from challenges_started c where c.person_hash = m.person_hash)`
}
