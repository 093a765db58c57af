import type { Db } from '../db/pool.ts'
import { dropMails } from '../email/outbox.ts'
import { deleteNotifications } from '../notifications/notify.ts'

/**
 * Deletes a message from both sides, with its image, notifications and emails (decision 0087). Returns whose pages showed it;
 * nobody when it is gone already.
 */
export const removeMessage = async (tx: Db, id: string): Promise<string[]> => {
  const [row] = await tx<{ sender_id: string | null; owner_id: string | null }[]>`
    delete from messages m where id = ${id}
    returning m.sender_id, (select v.user_id from vehicles v where v.id = m.vehicle_id) as owner_id`
  return [row?.sender_id, row?.owner_id].filter((userId) => typeof userId === 'string')
}

/** Deletes a reply from both sides, as `removeMessage`. Its message stays, and cannot be answered again. */
export const removeReply = async (tx: Db, id: string): Promise<string[]> => {
  const [row] = await tx<{ sender_id: string | null; owner_id: string | null }[]>`
    update messages m set reply_encrypted = null, reply_answer = null, replied_at = null, reply_withheld = false,
      reply_by_driver = false, reply_removed = true
    where id = ${id} and reply_encrypted is not null
    returning m.sender_id, (select v.user_id from vehicles v where v.id = m.vehicle_id) as owner_id`
  if (!row) return []
  await tx`update driver_messages set has_replied = false where message_id = ${id} and has_replied`
  await deleteNotifications(tx, id, 'message_answered')
  await deleteNotifications(tx, id, 'message_replied')
  await dropMails(tx, 'reply', id)
  return [row.sender_id, row.owner_id].filter((userId) => typeof userId === 'string')
}
