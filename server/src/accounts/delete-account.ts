import { removeDeletedFilesSoon } from '../attachments/janitor.ts'
import { deleteUnsentOf } from '../attachments/queries.ts'
import { type AuditActor, recordAction, userSubject } from '../audit/record-action.ts'
import { closeAccount, deleteUserRow, type HeldAccount, lockAccounts } from '../auth/account-queries.ts'
import { findUser } from '../auth/queries.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { forgetSender, lockMessagesOf } from '../messages/queries.ts'
import { lockNumbers } from '../notifications/queries.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { endDisputesOf } from '../vehicles/end-disputes.ts'
import { deleteVehicles, vehicleIdsOf } from '../vehicles/queries.ts'

export type AccountDeletion = {
  id: string
  /** Who deletes: the person, an admin, or null for a server with the service key. */
  by: AuditActor
  /** An admin's words for the audit log. */
  reason?: string | undefined
}

/**
 * Deletes an account (spec §2, design decision 4): sessions, vehicles with the messages they received, notifications,
 * images, waiting mails. Disputes it was in are settled. Messages the person sent stay with their recipients, without a
 * sender. A deletion by somebody else stands in the audit log; of one's own nothing stays.
 *
 * Refuses with `not_found`; `last_admin`; `session_ended` and `forbidden` when who deletes is gone or no admin any more.
 */
export async function deleteAccount(parts: Parts, deletion: AccountDeletion): Promise<void> {
  const { db, keyring, outbox } = parts
  const { id, by, reason } = deletion
  await inTransaction(db, async (tx) => {
    const account = await holdAccount(tx, deletion)
    await deleteWithBelongings(tx, id)
    if (by?.id === id) return
    const subject = userSubject(account.email)
    await recordAction(tx, keyring, { actor: by, action: 'user_deleted', subject, subjectId: id, reason })
  })
  outbox.wake() // somebody may have got a plate back
  removeDeletedFilesSoon(parts)
}

/** Holds the account, and refuses when it may not go: the decision must still be right when it is carried out. */
async function holdAccount(tx: Db, { id, by }: AccountDeletion): Promise<HeldAccount> {
  const found = (await findUser(tx, id)) ?? refuse('not_found')
  const held = await lockAccounts(tx, by ? [id, by.id] : [id], found.is_admin)
  const account = held.find((one) => one.id === id) ?? refuse('not_found')
  if (by && by.id !== id) {
    // two admins may delete each other at once: the second is gone by now
    const deleter = held.find((one) => one.id === by.id) ?? refuse('session_ended')
    if (!deleter.is_admin) refuse('forbidden')
  }
  if (account.is_admin && !held.some((one) => one.is_admin && one.id !== id)) refuse('last_admin')
  return account
}

/**
 * The order is that of the locks: plates, messages, the counter of notifications, vehicles, and the account last. A send
 * or a reply takes them in the same order, so that none waits for this in a circle (docs/decisions/0023).
 */
async function deleteWithBelongings(tx: Db, id: string): Promise<void> {
  const vehicleIds = await vehicleIdsOf(tx, id)
  await endDisputesOf(tx, vehicleIds)
  await lockMessagesOf(tx, id, vehicleIds)
  await lockNumbers(tx, id)
  await deleteVehicles(tx, vehicleIds)
  await closeAccount(tx, id)
  // only now: a message or an image may have come in the last moment
  await forgetSender(tx, id)
  await deleteUnsentOf(tx, id)
  await deleteUserRow(tx, id)
}
