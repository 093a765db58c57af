import type { Db } from '../db/pool.ts'
import { findSent, type ReceivedRow, readerOf, receivedColumns, type SentRow } from './queries.ts'

/**
 * Selects whether somebody has blocked or reported what they got in a message, which they have read then: no email brings it
 * again. It is about this message alone. That others of one person were left out too would show that they are of one person
 * (decision blocking-people).
 */
const isTurnedDownBy = (db: Db, readerId: string) => db`(
  exists (select from blocks b where b.user_id = ${readerId} and b.message_id = m.id)
  or exists (
    select from reports r join report_cases c on c.id = r.case_id
    where r.reporter_id = ${readerId} and c.message_id = m.id))`

/**
 * Finds the newest of some messages that this user may read, newest first, with the number of all of them and their plate,
 * which is null when they are about several. Leaves out what somebody else of the vehicle has answered, and what the user has
 * blocked or reported.
 */
export const findReceivedAmong = async (db: Db, ids: string[], readerId: string, limit: number) => {
  const rows = await db<(ReceivedRow & { count: number; one_plate: boolean })[]>`
    select ${receivedColumns(db)}, (count(*) over ())::int as count, min(v.plate) over () = max(v.plate) over () as one_plate
    from messages m
    join vehicles v on v.id = m.vehicle_id
    ${readerOf(db, readerId)}
    left join attachments a on a.id = m.attachment_id
    where m.id = any(${ids}::uuid[]) and (v.user_id = ${readerId} or p.id is not null)
      and (m.replied_at is null or case when p.id is null then not m.reply_by_driver else p.has_replied end)
      and not ${isTurnedDownBy(db, readerId)}
    order by m.id desc
    limit ${limit}`
  const [newest] = rows
  return { rows, count: newest?.count ?? 0, plate: newest?.one_plate ? newest.plate : null }
}

/** Finds a message that this user sent, unless they have blocked or reported the reply to it. */
export const findSentUnlessTurnedDown = async (db: Db, id: string, senderId: string): Promise<SentRow | null> => {
  const [row] = await db`select from messages m where m.id = ${id} and not ${isTurnedDownBy(db, senderId)}`
  return row ? findSent(db, id, senderId) : null
}
