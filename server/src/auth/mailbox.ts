import type { Db } from '../db/pool.ts'
import { deleteUser, lockUserByEmail } from './user-queries.ts'

/**
 * Returns whose mailbox it is: the person of an account that has moved there (decision email-change), or the mailbox itself.
 *
 * @param mailboxHash of an address (`hashPerson`)
 */
export async function findPersonOfMailbox(db: Db, mailboxHash: Buffer): Promise<Buffer> {
  const [row] = await db<{ person_hash: Buffer }[]>`
    select person_hash from auth.mailbox_people where mailbox_hash = ${mailboxHash}`
  return row?.person_hash ?? mailboxHash
}

/**
 * Links the new mailbox of an account to its person (decision email-change): somebody who signs up there later is the same
 * person, sanctions, challenges and all. A mailbox of which something is known already stays a person of its own, as two
 * mailboxes of one human are. Returns whether it was linked.
 */
export async function linkMailboxToPerson(tx: Db, mailboxHash: Buffer, personHash: Buffer): Promise<boolean> {
  const { count } = await tx`
    insert into auth.mailbox_people (mailbox_hash, person_hash)
    select ${mailboxHash}::bytea, ${personHash}::bytea
    where ${mailboxHash}::bytea <> ${personHash}::bytea
      and not exists (select from auth.users where person_hash = ${mailboxHash})
      and not exists (select from subjects where person_hash = ${mailboxHash})
      and not exists (select from challenges_started where person_hash = ${mailboxHash})
    on conflict do nothing`
  return count === 1
}

/**
 * Unlinks a mailbox that a change linked to a person, when the change is undone: accounts that were made there meanwhile belong to the
 * reader of the mailbox, and not to the person whose account it was.
 *
 * @param hashMailbox of an address (`hashPerson`)
 */
export async function unlinkMailbox(
  tx: Db,
  mailboxHash: Buffer,
  { userId, personHash }: { userId: string; personHash: Buffer },
  hashMailbox: (address: string) => Buffer,
): Promise<void> {
  await tx`delete from auth.mailbox_people where mailbox_hash = ${mailboxHash} and person_hash = ${personHash}`
  const others = await tx<{ id: string; email: string }[]>`
    select id, email from auth.users where person_hash = ${personHash} and id <> ${userId}`
  for (const { id, email } of others) {
    if (!hashMailbox(email).equals(mailboxHash)) continue
    await tx`update auth.users set person_hash = ${mailboxHash} where id = ${id}`
  }
}

/** Returns whether accounts of a person are kept out: then none moves to their mailbox either. */
export async function isPersonSuspended(db: Db, personHash: Buffer): Promise<boolean> {
  const [row] = await db<{ suspended: boolean }[]>`select is_sanctioned(${personHash}, 'suspend') as suspended`
  return row?.suspended ?? false
}

/** Returns whether the reader of a mailbox is suspended. */
export const isMailboxClosed = async (db: Db, mailboxHash: Buffer): Promise<boolean> =>
  isPersonSuspended(db, await findPersonOfMailbox(db, mailboxHash))

/**
 * Returns whether no other confirmed account has an address. One that nobody confirmed makes way: the owner of the mailbox
 * has just shown who they are.
 */
export async function freeAddress(tx: Db, email: string, userId: string): Promise<boolean> {
  const holder = await lockUserByEmail(tx, email)
  if (!holder || holder.id === userId) return true
  if (holder.email_confirmed_at !== null) return false
  await deleteUser(tx, holder.id)
  return true
}
