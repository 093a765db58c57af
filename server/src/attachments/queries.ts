import type { Db } from '../db/pool.ts'

export type AttachmentRow = { id: string; name: string; key_envelope: Buffer }

type NewAttachment = AttachmentRow & { uploader_id: string; size: number; width: number; height: number }

export const insertAttachment = async (db: Db, row: NewAttachment): Promise<void> => {
  await db`insert into attachments ${db(row)}`
}

export const findAttachment = async (db: Db, name: string): Promise<AttachmentRow | null> => {
  const [row] = await db<AttachmentRow[]>`select id, name, key_envelope from attachments where name = ${name}`
  return row ?? null
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

/** Lists the names of files whose row was deleted, in alphabetical order, after a given one. */
export const listFilesToDelete = async (db: Db, after: string, limit: number): Promise<string[]> => {
  const rows = await db<{ name: string }[]>`
    select name from attachment_files_to_delete where name > ${after} order by name limit ${limit}`
  return rows.map(({ name }) => name)
}

export const markFileDeleted = async (db: Db, name: string): Promise<void> => {
  await db`delete from attachment_files_to_delete where name = ${name}`
}

/** Deletes the images a user uploaded and did not send. */
export const deleteUnsentAttachments = async (db: Db, uploaderId: string): Promise<void> => {
  await db`
    delete from attachments a
    where a.uploader_id = ${uploaderId} and not exists (select from messages m where m.attachment_id = a.id)`
}
