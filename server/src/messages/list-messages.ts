import * as z from 'zod/mini'
import type { Paging } from '#contract/endpoint.ts'
import type { ReceivedMessage, SentMessage, ViewedMessage } from '#contract/messages.ts'
import { imageUrl } from '../attachments/image-url.ts'
import { pageLimit, readCursor, toPage } from '../db/keyset.ts'
import type { Db } from '../db/pool.ts'
import type { Parts } from '../parts.ts'
import type { Keyring } from '../sealing/seal.ts'
import { findReceived, findSent, listReceived, listSent, type ReceivedRow, type SentRow } from './queries.ts'
import { openContent, openReply } from './texts.ts'

/** The message as its recipient reads it: opened, and without any trace of its sender. */
export const showReceived = (keyring: Keyring, row: ReceivedRow): ReceivedMessage => ({
  id: row.id,
  plate: row.plate,
  vehicle_id: row.vehicle_id,
  content: openContent(keyring, row.id, row.content_sealed),
  reason: row.reason,
  image_url: row.image_name && imageUrl(row.image_name),
  inserted_at: row.inserted_at,
  is_read: row.is_read,
  reply: openReply(keyring, row.id, row.reply_sealed),
  replied_at: row.replied_at,
})

/** The message as its sender reads it: without any trace of its recipient but the plate. */
export const showSent = (keyring: Keyring, row: SentRow): SentMessage => ({
  id: row.id,
  plate: row.plate,
  content: openContent(keyring, row.id, row.content_sealed),
  reason: row.reason,
  image_url: row.image_name && imageUrl(row.image_name),
  inserted_at: row.inserted_at,
  reply: openReply(keyring, row.id, row.reply_sealed),
  replied_at: row.replied_at,
  email_status: row.email_status,
})

/** The newest messages to a person's vehicles, opened. */
export const receivedMessages = async (db: Db, keyring: Keyring, ownerId: string, limit: number) =>
  (await listReceived(db, ownerId, null, limit)).map((row) => showReceived(keyring, row))

const Id = z.uuid()

export async function pageOfReceived({ db, keyring }: Parts, ownerId: string, paging: Paging) {
  const limit = pageLimit(paging)
  const rows = await listReceived(db, ownerId, readCursor(Id, paging), limit + 1)
  return toPage(
    rows,
    limit,
    (row) => row.id,
    (row) => showReceived(keyring, row),
  )
}

export async function pageOfSent({ db, keyring }: Parts, senderId: string, paging: Paging) {
  const limit = pageLimit(paging)
  const rows = await listSent(db, senderId, readCursor(Id, paging), limit + 1)
  return toPage(
    rows,
    limit,
    (row) => row.id,
    (row) => showSent(keyring, row),
  )
}

/** One message as this person may see it, or null. */
export async function viewMessage({ db, keyring }: Parts, id: string, userId: string): Promise<ViewedMessage | null> {
  const received = await findReceived(db, id, userId)
  if (received) return { view: 'received', ...showReceived(keyring, received) }
  const sent = await findSent(db, id, userId)
  return sent && { view: 'sent', ...showSent(keyring, sent) }
}
