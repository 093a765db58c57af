import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail } from '../email/outbox.ts'
import { notify } from '../notifications/notify.ts'
import { refuse } from '../refusal.ts'
import { encryptReply } from './message-encryption.ts'
import { findReceived, type ReceivedRow, setReply } from './queries.ts'

/**
 * Stores the owner's one reply (requirements §4, §5), with the sender's notification and email in the same transaction.
 * When the sender's account is gone, only the reply is stored.
 *
 * Refuses with `not_found`, `already_replied`.
 */
export async function replyToMessage(
  context: AppContext,
  ownerId: string,
  id: string,
  reply: string,
): Promise<ReceivedRow> {
  const { db, keyring, live, outbox } = context
  const encryptedReply = encryptReply(keyring, id, reply)
  const { senderId, row } = await inTransaction(db, async (tx) => {
    const replied = await setReply(tx, id, ownerId, encryptedReply)
    const row = (await findReceived(tx, id, ownerId)) ?? refuse('not_found')
    if (!replied) refuse('already_replied')
    const senderId = replied.sender_id
    if (senderId) {
      const data = { plate: replied.plate, message_id: id }
      await notify(tx, [{ userId: senderId, type: 'message_replied', data, messageId: id }])
      await queueMail(tx, { kind: 'reply', refId: id, recipientId: senderId })
    }
    return { senderId, row }
  })
  if (senderId) {
    live.publish([senderId])
    outbox.wake()
  }
  return row
}
