import type { Db } from '../db/pool.ts'
import { deleteOwnerInvitations } from '../vehicle-people/invitation-queries.ts'
import { deleteEmailChange } from './email-change/queries.ts'
import { revokeLinks } from './link-queries.ts'

/**
 * Cancels all of an account that waits to be used, because somebody who knew the password may have made it: links and sign-ups, a
 * change of the address, and invitations to its vehicles. The caller has locked the account.
 */
export async function cancelPending(tx: Db, userId: string): Promise<void> {
  await revokeLinks(tx, userId)
  await deleteEmailChange(tx, userId)
  await deleteOwnerInvitations(tx, userId)
}
