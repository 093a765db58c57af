import * as z from 'zod/mini'
import type { Paging } from '#contract/endpoint.ts'
import type { ReceivedMessage, SentMessage, ViewedMessage } from '#contract/messages.ts'
import { imageUrl } from '../attachments/image-url.ts'
import { pageLimit, readCursor, toPage } from '../db/keyset.ts'
import type { Db } from '../db/pool.ts'
import type { Reader } from '../sealing/show-text.ts'
import { findReceived, findSent, listReceived, listSent, type ReceivedRow, type SentRow } from './queries.ts'
import { openContent, openReply } from './texts.ts'

/** The message as its recipient reads it: opened, and without any trace of its sender. */
export const showReceived = (reader: Reader, row: ReceivedRow): ReceivedMessage => ({
  id: row.id,
  plate: row.plate,
  vehicle_id: row.vehicle_id,
  content: openContent(reader, row.id, row.content_sealed),
  reason: row.reason,
  image_url: row.image_name && imageUrl(row.image_name),
  inserted_at: row.inserted_at,
  is_read: row.is_read,
  reply: openReply(reader, row.id, row.reply_sealed),
  replied_at: row.replied_at,
})

/** The message as its sender reads it: without any trace of its recipient but the plate. */
export const showSent = (reader: Reader, row: SentRow): SentMessage => ({
  id: row.id,
  plate: row.plate,
  content: openContent(reader, row.id, row.content_sealed),
  reason: row.reason,
  image_url: row.image_name && imageUrl(row.image_name),
  inserted_at: row.inserted_at,
  reply: openReply(reader, row.id, row.reply_sealed),
  replied_at: row.replied_at,
  email_status: row.email_status,
})

/** The newest messages to a person's vehicles, opened. */
export const receivedMessages = async (db: Db, reader: Reader, ownerId: string, limit: number) =>
  (await listReceived(db, ownerId, null, limit)).map((row) => showReceived(reader, row))

const Id = z.uuid()

export async function pageOfReceived(db: Db, reader: Reader, ownerId: string, paging: Paging) {
  const limit = pageLimit(paging)
  const rows = await listReceived(db, ownerId, readCursor(Id, paging), limit + 1)
  return toPage(
    rows,
    limit,
    (row) => row.id,
    (row) => showReceived(reader, row),
  )
}

export async function pageOfSent(db: Db, reader: Reader, senderId: string, paging: Paging) {
  const limit = pageLimit(paging)
  const rows = await listSent(db, senderId, readCursor(Id, paging), limit + 1)
  return toPage(
    rows,
    limit,
    (row) => row.id,
    (row) => showSent(reader, row),
  )
}

/** One message as this person may see it, or null. */
export async function viewMessage(db: Db, reader: Reader, id: string, userId: string): Promise<ViewedMessage | null> {
  const received = await findReceived(db, id, userId)
  if (received) return { view: 'received', ...showReceived(reader, received) }
  const sent = await findSent(db, id, userId)
  return sent && { view: 'sent', ...showSent(reader, sent) }
}
