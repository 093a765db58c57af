import type { PageParams } from '#contract/endpoint.ts'
import type { MessageDetail, ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { driverImageUrl } from '../attachments/driver-image.ts'
import { imageUrl } from '../attachments/image-link.ts'
import { toMessageCollision } from '../collisions/details.ts'
import { readPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { decryptContent, decryptReply, type MessageRef } from './message-encryption.ts'
import {
  findReceived,
  findSent,
  listReceived,
  listSent,
  type ReceivedFilter,
  type ReceivedRow,
  type SentRow,
} from './queries.ts'

/** Returns what a received message is encrypted for: the vehicle that has it now, which must be the one it was written to. */
export const receivedRef = ({ id, vehicle_id }: ReceivedRow): MessageRef => ({ id, vehicleId: vehicle_id })

/** Returns what a sent message is encrypted for: the vehicle it was written to, which may be gone. */
export const sentRef = ({ id, addressed_to }: SentRow): MessageRef => ({ id, vehicleId: addressed_to })

/** Converts a message for its recipient: decrypted, and without any trace of its sender. */
export const toReceivedMessage = (decryptContext: DecryptContext, row: ReceivedRow): ReceivedMessage => {
  const { text, imageLink, collision } = decryptContent(decryptContext, receivedRef(row), row)
  return {
    id: row.id,
    plate: row.plate,
    vehicle_id: row.vehicle_id,
    role: row.driver_id === null ? 'owner' : 'driver',
    content: text,
    reason: row.reason,
    image_url:
      row.driver_id === null
        ? imageLink && imageUrl(imageLink)
        : driverImageUrl(decryptContext.keyring, row.driver_id, row),
    inserted_at: row.inserted_at,
    is_read: row.is_read,
    left_at_vehicle: row.left_at_vehicle,
    reply: decryptReply(decryptContext, receivedRef(row), row.reply_encrypted),
    answer: row.reply_answer,
    replied_at: row.replied_at,
    replied_by: row.replied_at === null ? null : row.replied_by,
    reply_removed: row.reply_removed,
    kept_until: row.kept_until,
    collision: toMessageCollision(row.driver_id === null ? 'received' : 'driver', collision),
  }
}

/**
 * Converts a message for its sender: decrypted, and without any trace of its recipient but the plate. Of a note nothing shows
 * but the reply, also once its reader has claimed it (decision windshield-note).
 */
export const toSentMessage = (decryptContext: DecryptContext, row: SentRow): SentMessage => {
  const { text, imageLink, collision } = decryptContent(decryptContext, sentRef(row), row)
  return {
    id: row.id,
    plate: row.plate,
    content: row.is_note ? '' : text,
    reason: row.is_note ? null : row.reason,
    image_url: imageLink && imageUrl(imageLink),
    inserted_at: row.inserted_at,
    reply: decryptReply(decryptContext, sentRef(row), row.reply_encrypted),
    answer: row.reply_answer,
    replied_at: row.replied_at,
    kept_until: row.kept_until,
    email_status: row.email_status,
    nudged: row.nudged,
    collision: toMessageCollision('sent', collision),
  }
}

/** Lists the newest messages to a user's vehicles. */
export const latestReceivedMessages = async (db: Db, decryptContext: DecryptContext, ownerId: string, limit: number) =>
  (await listReceived(db, ownerId, null, limit)).map((row) => toReceivedMessage(decryptContext, row))

/** Returns a page of the messages to a user's vehicles, newest first. Refuses with `invalid_input` for a cursor that is none. */
export const receivedMessagesPage = (
  db: Db,
  decryptContext: DecryptContext,
  ownerId: string,
  paging: PageParams,
  filter: ReceivedFilter,
) =>
  readPage(
    paging,
    (before, limit) => listReceived(db, ownerId, before, limit, filter),
    (row) => toReceivedMessage(decryptContext, row),
  )

/** Returns a page of the messages a user sent, newest first. Refuses with `invalid_input` for a cursor that is none. */
export const sentMessagesPage = (db: Db, decryptContext: DecryptContext, senderId: string, paging: PageParams) =>
  readPage(
    paging,
    (before, limit) => listSent(db, senderId, before, limit),
    (row) => toSentMessage(decryptContext, row),
  )

/** Finds a message as this user may see it, or null. */
export async function findMessageForUser(
  db: Db,
  decryptContext: DecryptContext,
  id: string,
  userId: string,
): Promise<MessageDetail | null> {
  const received = await findReceived(db, id, userId)
  if (received) return { view: 'received', ...toReceivedMessage(decryptContext, received) }
  const sent = await findSent(db, id, userId)
  return sent && { view: 'sent', ...toSentMessage(decryptContext, sent) }
}
