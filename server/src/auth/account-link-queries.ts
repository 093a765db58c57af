import { type AccountLinkAction, UNDO_DAYS } from '#contract/email-change.ts'
import type { Db } from '../db/pool.ts'
import { isOpen } from './email-change-queries.ts'

// The links in the emails about an account: they confirm a change of its address, or undo what happened to it.

/** How long a link that undoes works, as an interval of the database. */
export const UNDO_PERIOD = `${UNDO_DAYS} days`

export type AccountLinkRow = { user_id: string } & (
  | { purpose: 'confirm_current' | 'confirm_new'; change_id: string; since: null; restores_address: false }
  /** `since`: the moment from which on it undoes what happened. */
  | { purpose: 'undo'; change_id: null; since: string; restores_address: boolean }
)

/** What the page of each link offers to do. */
export const ACTIONS: Record<AccountLinkRow['purpose'], AccountLinkAction> = {
  confirm_current: 'confirm',
  confirm_new: 'confirm',
  undo: 'undo',
}

/** Stores a link that confirms a change. Returns false, and stores nothing, when the change is over by now. */
export const insertConfirmLink = async (
  db: Db,
  hash: Buffer,
  purpose: 'confirm_current' | 'confirm_new',
  changeId: string,
): Promise<boolean> => {
  const { count } = await db`
    insert into auth.account_link_tokens (token_hash, purpose, change_id)
    select ${hash}::bytea, ${purpose}, id from auth.email_changes where id = ${changeId}`
  return count === 1
}

/**
 * Stores a link that undoes what happened to an account from the moment on in which an email was queued: with what it tells of. Returns
 * until when it works.
 *
 * @param mail `id`: of the row in the outbox; `isAboutAddress`: whether it gives a former address back
 */
export const insertUndoLink = async (
  db: Db,
  hash: Buffer,
  userId: string,
  { id: mailId, isAboutAddress }: { id: string; isAboutAddress: boolean },
): Promise<string> => {
  const [row] = await db<{ until: string }[]>`
    insert into auth.account_link_tokens (token_hash, purpose, user_id, since, restores_address)
    select ${hash}::bytea, 'undo', ${userId}::uuid, created_at, ${isAboutAddress} from outbox where id = ${mailId}
    returning since + ${UNDO_PERIOD}::interval as until`
  return row!.until // a worker has leased the row
}

// the mailbox of any other email is no longer the account's once the address has changed, unless that is undone
const selectLink = (db: Db, hash: Buffer) => db`
  select coalesce(c.user_id, t.user_id) as user_id, t.purpose, c.id as change_id, t.since, t.restores_address
  from auth.account_link_tokens t
  left join auth.email_changes c on c.id = t.change_id and ${isOpen(db)}
  where t.token_hash = ${hash} and (c.id is not null or t.since > now() - ${UNDO_PERIOD}::interval)
    and (t.restores_address or not exists (
      select from auth.former_addresses f where f.user_id = t.user_id and f.changed_at > t.since))`

/** Finds a link that still works. */
export const findAccountLink = async (db: Db, hash: Buffer): Promise<AccountLinkRow | undefined> => {
  const [row] = await db<AccountLinkRow[]>`${selectLink(db, hash)}`
  return row
}

/**
 * Spends a link, once; the caller has locked the account. With it end the others that do no more: those of the same mailbox that
 * confirm the change, or those that undo what happened later.
 */
export const spendAccountLink = async (db: Db, hash: Buffer): Promise<AccountLinkRow | undefined> => {
  const [row] = await db<AccountLinkRow[]>`${selectLink(db, hash)} for update of t`
  if (row) {
    await db`
      delete from auth.account_link_tokens
      where purpose = ${row.purpose} and (${row.restores_address} or not restores_address)
        and (change_id = ${row.change_id} or user_id = ${row.user_id} and since >= ${row.since})`
  }
  return row
}
