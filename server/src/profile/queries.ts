import type { StoredLink } from '../attachments/image-link.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

// What the export contains besides the lists people see. All newest first, starting after the row with the id `before`.

type StartedChallenge = { id: string; created_at: string }

/** Lists the challenges a user started, also those that are over. */
export const listStartedChallenges = (db: Db, userId: string, before: string | null, limit: number) =>
  db<StartedChallenge[]>`
    select id, created_at from challenges_started
    where user_id = ${userId} and id < coalesce(${before}, ${MAX_UUID})::uuid
    order by id desc
    limit ${limit}`

type UploadedImage = StoredLink & {
  id: string
  size: number
  width: number
  height: number
  created_at: string
  /** The person's own message it was sent with; null before it is sent. */
  message_id: string | null
}

/** Lists the images a user uploaded, with the message each was sent with. */
export const listUploadedImages = (db: Db, userId: string, before: string | null, limit: number) =>
  db<UploadedImage[]>`
    select a.id, a.id as image_id, a.name as image_name, a.link_encrypted as image_link, a.size, a.width, a.height,
      a.created_at, m.id as message_id
    from attachments a
    left join messages m on m.attachment_id = a.id
    where a.uploader_id = ${userId} and a.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by a.id desc
    limit ${limit}`

type MailRow = {
  id: string
  kind: string
  created_at: string
  sent_at: string | null
  failed_at: string | null
}

/** Lists which emails a user was sent, without their texts. */
export const listMails = (db: Db, userId: string, before: string | null, limit: number) =>
  db<MailRow[]>`
    select id, kind, created_at, sent_at, failed_at from outbox
    where recipient_id = ${userId} and id < coalesce(${before}, ${MAX_UUID})::uuid
    order by id desc
    limit ${limit}`

/** Lists the documents of disputes that a user uploaded and that are still here, newest first. What is in them is not read. */
export const listUploadedDocuments = (db: Db, userId: string, before: string | null, limit: number) =>
  db<{ id: string; plate: string; kind: string; size: number; created_at: string }[]>`
    select d.id, v.plate, d.kind, d.size, d.created_at
    from dispute_documents d join vehicles v on v.id = d.vehicle_id
    where v.user_id = ${userId} and d.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by d.id desc
    limit ${limit}`
