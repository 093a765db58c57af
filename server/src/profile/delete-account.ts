import { deleteUnsentAttachments } from '../attachments/queries.ts'
import { type AuditActor, formatUserSubject, recordAction } from '../audit/record-action.ts'
import {
  deleteUser,
  findUser,
  hasOtherAdmin,
  type LockedAccount,
  lockAccountExclusively,
  lockAccounts,
} from '../auth/user-queries.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { removeDeletedFilesInBackground } from '../files/remove-deleted-files.ts'
import { anonymizeSender, lockUserMessages } from '../messages/queries.ts'
import { lockNotificationCounter } from '../notifications/queries.ts'
import { refuse } from '../refusal.ts'
import { peopleOfPlatesOf, peopleOfWhatWaits, refuseOwnCase } from '../subjects/own-case.ts'
import { deleteVehicles, listVehicleIds } from '../vehicles/queries.ts'
import { withdrawFromDisputes } from '../vehicles/withdraw-from-disputes.ts'

type AccountDeletion = {
  id: string
  /** Who deletes: the person, an admin, or null for software with the service key. */
  by: AuditActor
  /** An admin's reason, for the audit log. */
  reason?: string | undefined
}

/**
 * Deletes an account (requirements §2, decision retention-and-deletion): sessions, vehicles with the messages they received,
 * notifications, images, queued emails. Disputes it was in are settled. Messages the person sent stay with their
 * recipients, without a sender. A deletion by somebody else is recorded in the audit log; a person's own leaves
 * nothing.
 *
 * Refuses with `not_found`; `last_admin`; `session_ended` and `forbidden` when the deleter is gone or no longer an
 * admin; `own_case` when the deleter is one of the people of a plate of the account, or a side
 * of what waits about the person.
 */
export async function deleteAccount(context: AppContext, deletion: AccountDeletion): Promise<void> {
  const { db, keyring, outbox } = context
  const { id, by, reason } = deletion
  await inTransaction(db, async (tx) => {
    const account = await lockDeletableAccount(tx, deletion)
    await deleteAccountData(tx, id)
    if (by?.id === id) return
    const subject = formatUserSubject(account.email)
    await recordAction(tx, keyring, { actor: by, action: 'user_deleted', subject, subjectId: id, reason })
  })
  outbox.wake() // somebody may have regained a plate
  removeDeletedFilesInBackground(context)
}

/** Locks the account, and refuses when it may not be deleted: that must still be true when it is done. */
async function lockDeletableAccount(tx: Db, { id, by }: AccountDeletion): Promise<LockedAccount> {
  const found = (await findUser(tx, id)) ?? refuse('not_found')
  const locked = await lockAccounts(tx, by ? [id, by.id] : [id], found.is_admin)
  const account = locked.find((one) => one.id === id) ?? refuse('not_found')
  if (by && by.id !== id) {
    // two admins may delete each other at the same moment: the second is gone by now
    const deleter = locked.find((one) => one.id === by.id) ?? refuse('session_ended')
    if (!deleter.is_admin) refuse('forbidden')
    await refuseOwnCase(tx, by, peopleOfPlatesOf(tx, id)) // their plates change hands
    await refuseOwnCase(tx, by, peopleOfWhatWaits(tx, tx`select person_hash from auth.users where id = ${id}`))
  }
  if (account.is_admin && !(await hasOtherAdmin(tx, [id]))) refuse('last_admin')
  return account
}

/**
 * Deletes everything in the order of the locks: plates, messages, the counter of notifications, vehicles, and the
 * account last. A send or a reply locks in the same order, so that they never deadlock with this (decision retention-and-deletion).
 */
export async function deleteAccountData(tx: Db, id: string): Promise<void> {
  const vehicleIds = await listVehicleIds(tx, id)
  await withdrawFromDisputes(tx, vehicleIds)
  await lockUserMessages(tx, id, vehicleIds)
  await lockNotificationCounter(tx, id)
  await deleteVehicles(tx, vehicleIds)
  await lockAccountExclusively(tx, id)
  // only now: a message or an image may have come at the last moment
  await anonymizeSender(tx, id)
  await deleteUnsentAttachments(tx, id)
  await deleteUser(tx, id)
}
