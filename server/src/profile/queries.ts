import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

// What the export contains besides the lists people see. All newest first, starting after the row with the id `before`.

export type StartedChallenge = { id: string; created_at: string }

export const listStartedChallenges = (db: Db, userId: string, before: string | null, limit: number) =>
  db<StartedChallenge[]>`
    select id, created_at from challenges_started
    where user_id = ${userId} and id < coalesce(${before}, ${MAX_UUID})::uuid
    order by id desc
    limit ${limit}`

export type UploadedImage = {
  id: string
  name: string
  size: number
  width: number
  height: number
  created_at: string
  /** The person's own message it was sent with; null before it is sent. */
  message_id: string | null
}

export const listUploadedImages = (db: Db, userId: string, before: string | null, limit: number) =>
  db<UploadedImage[]>`
    select a.id, a.name, a.size, a.width, a.height, a.created_at, m.id as message_id
    from attachments a
    left join messages m on m.attachment_id = a.id
    where a.uploader_id = ${userId} and a.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by a.id desc
    limit ${limit}`

export type MailRow = {
  id: string
  kind: string
  created_at: string
  sent_at: string | null
  failed_at: string | null
}

export const listMails = (db: Db, userId: string, before: string | null, limit: number) =>
  db<MailRow[]>`
    select id, kind, created_at, sent_at, failed_at from outbox
    where recipient_id = ${userId} and id < coalesce(${before}, ${MAX_UUID})::uuid
    order by id desc
    limit ${limit}`
