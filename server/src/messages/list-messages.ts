import * as z from 'zod/mini'
import type { PageParams } from '#contract/endpoint.ts'
import type { MessageDetail, ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { imageUrl } from '../attachments/image-url.ts'
import { pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { decryptContent, decryptReply } from './message-encryption.ts'
import { findReceived, findSent, listReceived, listSent, type ReceivedRow, type SentRow } from './queries.ts'

/** Converts a message for its recipient: decrypted, and without any trace of its sender. */
export const toReceivedMessage = (decryptContext: DecryptContext, row: ReceivedRow): ReceivedMessage => ({
  id: row.id,
  plate: row.plate,
  vehicle_id: row.vehicle_id,
  content: decryptContent(decryptContext, row.id, row.content_encrypted),
  reason: row.reason,
  image_url: row.image_name && imageUrl(row.image_name),
  inserted_at: row.inserted_at,
  is_read: row.is_read,
  reply: decryptReply(decryptContext, row.id, row.reply_encrypted),
  replied_at: row.replied_at,
})

/** Converts a message for its sender: decrypted, and without any trace of its recipient but the plate. */
export const toSentMessage = (decryptContext: DecryptContext, row: SentRow): SentMessage => ({
  id: row.id,
  plate: row.plate,
  content: decryptContent(decryptContext, row.id, row.content_encrypted),
  reason: row.reason,
  image_url: row.image_name && imageUrl(row.image_name),
  inserted_at: row.inserted_at,
  reply: decryptReply(decryptContext, row.id, row.reply_encrypted),
  replied_at: row.replied_at,
  email_status: row.email_status,
})

/** Lists the newest messages to a user's vehicles. */
export const latestReceivedMessages = async (db: Db, decryptContext: DecryptContext, ownerId: string, limit: number) =>
  (await listReceived(db, ownerId, null, limit)).map((row) => toReceivedMessage(decryptContext, row))

const Id = z.uuid()

export async function receivedMessagesPage(
  db: Db,
  decryptContext: DecryptContext,
  ownerId: string,
  paging: PageParams,
) {
  const limit = pageLimit(paging)
  const rows = await listReceived(db, ownerId, parseCursor(Id, paging), limit + 1)
  return toPage(
    rows,
    limit,
    (row) => row.id,
    (row) => toReceivedMessage(decryptContext, row),
  )
}

export async function sentMessagesPage(db: Db, decryptContext: DecryptContext, senderId: string, paging: PageParams) {
  const limit = pageLimit(paging)
  const rows = await listSent(db, senderId, parseCursor(Id, paging), limit + 1)
  return toPage(
    rows,
    limit,
    (row) => row.id,
    (row) => toSentMessage(decryptContext, row),
  )
}

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
