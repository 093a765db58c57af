import type { Db } from '../db/pool.ts'
import type { StoredLink } from './image-link.ts'

export type AttachmentRow = { id: string; name: string; key_envelope: Buffer }

type NewAttachment = AttachmentRow & {
  uploader_id: string
  link_encrypted: Buffer
  link_bound_to: string
  size: number
  width: number
  height: number
}

export const insertAttachment = async (db: Db, row: NewAttachment): Promise<void> => {
  await db`insert into attachments ${db(row)}`
}

/**
 * Finds an image by its link.
 *
 * @param link the name in the link, which is the file's, too, for an image from before links were encrypted
 * @param fileName the name of the file that belongs to this link
 */
export const findAttachment = async (db: Db, link: string, fileName: string): Promise<AttachmentRow | null> => {
  const [row] = await db<AttachmentRow[]>`
    select id, name, key_envelope from attachments
    where name = ${fileName} or (name = ${link} and link_bound_to is null)`
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

/** Selects the link of an image `a` as it is stored. */
export const linkColumns = (db: Db) => db`
  a.id as image_id, a.link_encrypted as image_link, case when a.link_bound_to is null then a.name end as image_name`

/** Reads the links of images that these users uploaded and have not sent, by the ids of the images. */
export const findUnsentLinks = async (db: Db, imageIds: string[], uploaderIds: string[]) => {
  const rows = await db<StoredLink[]>`
    select ${linkColumns(db)}
    from attachments a
    where id = any(${imageIds}::uuid[]) and uploader_id = any(${uploaderIds}::uuid[]) and link_bound_to = uploader_id`
  return new Map(rows.map((row) => [row.image_id, row]))
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

/**
 * Deletes images that no message used within an hour. Returns how many.
 *
 * @param sinceDays limits the age of the images, so that a run each minute does not read all there ever were
 */
export const deleteUnusedAttachments = async (db: Db, sinceDays: number): Promise<number> => {
  const { count } = await db`
    delete from attachments a
    where a.created_at < now() - interval '1 hour' and a.created_at > now() - make_interval(days => ${sinceDays})
      and not exists (select from messages m where m.attachment_id = a.id)`
  return count
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
