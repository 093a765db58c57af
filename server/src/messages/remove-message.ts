import type { Db } from '../db/pool.ts'
import { dropMails } from '../email/outbox.ts'
import { deleteNotifications } from '../notifications/notify.ts'

/**
 * Deletes a message from both sides, with its image, notifications and emails (decision admin-inbox). Returns whose pages showed it:
 * the sender's and those of the people of the vehicle; nobody when it is gone already.
 */
export const removeMessage = async (tx: Db, id: string): Promise<string[]> => {
  const [row] = await tx<{ reader_ids: string[] }[]>`
    delete from messages m where id = ${id} returning ${readerIds(tx)} as reader_ids`
  return row?.reader_ids ?? []
}

/** Deletes a reply from both sides, as `removeMessage`. Its message stays, and cannot be answered again. */
export const removeReply = async (tx: Db, id: string): Promise<string[]> => {
  const [row] = await tx<{ reader_ids: string[] }[]>`
    update messages m set reply_encrypted = null, reply_answer = null, replied_at = null, reply_withheld = false,
      reply_by_driver = false, reply_removed = true
    where id = ${id} and reply_encrypted is not null
    returning ${readerIds(tx)} as reader_ids`
  if (!row) return []
  await tx`update driver_messages set has_replied = false where message_id = ${id} and has_replied`
  await deleteNotifications(tx, id, 'message_answered')
  await deleteNotifications(tx, id, 'message_replied')
  await dropMails(tx, 'reply', id)
  return row.reader_ids
}

/** The accounts that can read the message `m`: its sender, the owner of the vehicle, and the drivers it was shared with. */
const readerIds = (db: Db) => db`
  array(
    select m.sender_id where m.sender_id is not null
    union select v.user_id from vehicles v where v.id = m.vehicle_id
    union select p.user_id from driver_messages d join vehicle_drivers p on p.id = d.driver_id where d.message_id = m.id)`
