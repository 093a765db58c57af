import type { Db } from '../db/pool.ts'
import type { UnsentLink } from './image-link.ts'

export type AttachmentRow = { id: string; name: string; key_envelope: Buffer }

type NewAttachment = AttachmentRow & {
  uploader_id: string
  link_encrypted: Buffer
  size: number
  width: number
  height: number
}

export const insertAttachment = async (db: Db, row: NewAttachment): Promise<void> => {
  await db`insert into attachments ${db(row)}`
}

/** Finds an image by the name of its file (`fileNameOfLink`). */
export const findAttachment = async (db: Db, name: string): Promise<AttachmentRow | null> => {
  const [row] = await db<AttachmentRow[]>`select id, name, key_envelope from attachments where name = ${name}`
  return row ?? null
}

/** Finds an image of a message that a driver may read, as long as they are one. */
export const findDriverAttachment = async (
  db: Db,
  { driverId, imageId }: { driverId: string; imageId: string },
): Promise<AttachmentRow | null> => {
  const [row] = await db<AttachmentRow[]>`
    select a.id, a.name, a.key_envelope
    from attachments a
    join messages m on m.attachment_id = a.id
    join driver_messages d on d.message_id = m.id
    where a.id = ${imageId} and d.driver_id = ${driverId}`
  return row ?? null
}

/** Reads the links of images that these users uploaded and have not sent, by the ids of the images. */
export const findUnsentLinks = async (db: Db, imageIds: string[], uploaderIds: string[]) => {
  const rows = await db<UnsentLink[]>`
    select id, uploader_id, link_encrypted from attachments
    where id = any(${imageIds}::uuid[]) and uploader_id = any(${uploaderIds}::uuid[]) and link_encrypted is not null`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Finds images that a user uploaded and has not sent, by their ids. */
export const findUnsentAttachments = async (
  db: Db,
  imageIds: string[],
  uploaderId: string,
): Promise<Map<string, AttachmentRow>> => {
  if (imageIds.length === 0) return new Map()
  const rows = await db<AttachmentRow[]>`
    select id, name, key_envelope from attachments a
    where id = any(${imageIds}::uuid[]) and uploader_id = ${uploaderId}
      and not exists (select from messages m where m.attachment_id = a.id)`
  return new Map(rows.map((row) => [row.id, row]))
}

/** Deletes images that no message used within an hour: those that still have their link. */
export const deleteUnusedAttachments = async (db: Db): Promise<void> => {
  await db`delete from attachments where link_encrypted is not null and created_at < now() - interval '1 hour'`
}

/** Deletes the images a user uploaded and did not send, or some of them. */
export const deleteUnsentAttachments = async (
  db: Db,
  uploaderId: string,
  among: string[] | null = null,
): Promise<void> => {
  await db`
    delete from attachments a
    where a.uploader_id = ${uploaderId} and (${among}::uuid[] is null or a.id = any(${among}::uuid[]))
      and not exists (select from messages m where m.attachment_id = a.id)`
}
