import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { queueMail } from '../email/outbox.ts'
import { replaceLinkRequest } from './link-queries.ts'
import type { LinkPurpose } from './redirects.ts'

/** Queues a mail with a link, in the caller's transaction, which holds the account. After the commit: `outbox.wake()`. */
export async function queueLinkMail(
  tx: Db,
  userId: string,
  purpose: LinkPurpose,
  signUpId: string | null,
  redirectTo: string,
) {
  const id = newId()
  await replaceLinkRequest(tx, { id, user_id: userId, purpose, sign_up_id: signUpId, redirect_to: redirectTo })
  await queueMail(tx, { kind: 'auth_link', refId: id, recipientId: userId })
}
