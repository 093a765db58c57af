import type { ReportReason } from '#contract/reports.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

/** What a report shows of its reporter, as keyed hashes. */
type ReporterTraces = { reporter: Buffer; network: Buffer; plates: Buffer[] }

/**
 * Counts the people who reported somebody independently of each other (decision message-reports). Reports of one person, from one
 * network, or of people who have registered the same plate count as one, and so do those that belong together through others.
 */
export function countIndependentReporters(reports: ReporterTraces[]): number {
  let groups: Set<string>[] = []
  for (const { reporter, network, plates } of reports) {
    const traces = [
      `person ${reporter.toString('hex')}`,
      `network ${network.toString('hex')}`,
      ...plates.map((plate) => `plate ${plate.toString('hex')}`),
    ]
    const related = groups.filter((group) => traces.some((trace) => group.has(trace)))
    const merged = new Set([...traces, ...related.flatMap((group) => [...group])])
    groups = [...groups.filter((group) => !related.includes(group)), merged]
  }
  return groups.length
}

/** What was reported: a message, or the reply to one. */
export type ReportedSide = 'message' | 'reply'

type NewCase = {
  id: string
  message_id: string
  side: ReportedSide
  subject_id: string
  reason: ReportReason
  key_envelope: Buffer
  evidence_box: Buffer
  image_box: Buffer | null
}

export type CaseKeyRow = { id: string; subject_id: string; key_envelope: Buffer }

/** Finds the case of a message or reply. */
export const findCase = async (db: Db, messageId: string, side: ReportedSide): Promise<CaseKeyRow | null> => {
  const [row] = await db<CaseKeyRow[]>`
    select id, subject_id, key_envelope from report_cases where message_id = ${messageId} and side = ${side}`
  return row ?? null
}

/** Inserts a case; when somebody else has reported the same at this moment, returns theirs. */
export const insertCase = async (db: Db, row: NewCase): Promise<CaseKeyRow> => {
  const [inserted] = await db<CaseKeyRow[]>`
    insert into report_cases ${db(row)}
    on conflict (message_id, side) do update set message_id = excluded.message_id
    returning id, subject_id, key_envelope`
  return inserted! // inserted or found
}

export type NewReport = ReporterTraces & {
  id: string
  case_id: string
  /** Null: somebody without an account, who read a note. */
  reporter_id: string | null
  reason: ReportReason
  note_box: Buffer | null
}

/** Inserts a report. Returns its time, or null when this person has already reported the same. */
export const insertReport = async (db: Db, report: NewReport): Promise<string | null> => {
  const [row] = await db<{ created_at: string }[]>`
    insert into reports (id, case_id, reporter_id, reporter_hash, network_hash, plate_hashes, reason, note_box)
    values (${report.id}, ${report.case_id}, ${report.reporter_id}, ${report.reporter}, ${report.network},
      ${report.plates}::bytea[], ${report.reason}, ${report.note_box})
    on conflict (case_id, reporter_hash) do nothing
    returning created_at`
  return row?.created_at ?? null
}

/** Opens a case again, when it is closed: nobody has read what a new report says. */
export const reopenCase = async (db: Db, id: string): Promise<void> => {
  await db`update report_cases set state = 'open', closed_at = null where id = ${id} and state = 'closed'`
}

/** Lists what all reports about a subject show of their reporters. */
export const listReporterTraces = (db: Db, subjectId: string) =>
  db<ReporterTraces[]>`
    select r.reporter_hash as reporter, r.network_hash as network, r.plate_hashes as plates
    from reports r
    join report_cases c on c.id = r.case_id
    where c.subject_id = ${subjectId}`

/** Sets how many independent people have reported the subject, in its open cases. */
export const setReporters = async (db: Db, subjectId: string, reporters: number): Promise<void> => {
  await db`
    update report_cases set reporters = ${reporters}
    where subject_id = ${subjectId} and state = 'open' and reporters <> ${reporters}`
}

/**
 * Gives an open case the reason of one of its reports, when that is graver.
 *
 * @param byGravity all reasons, the gravest first
 */
export const raiseReason = async (
  db: Db,
  id: string,
  reason: ReportReason,
  byGravity: readonly ReportReason[],
): Promise<void> => {
  const reasons = [...byGravity]
  await db`
    update report_cases set reason = ${reason}
    where id = ${id} and state = 'open'
      and array_position(${reasons}::text[], ${reason}::text) < array_position(${reasons}::text[], reason)`
}

/** Lists the plates a user has registered, as they are matched. */
export const listPlateKeys = async (db: Db, userId: string): Promise<string[]> => {
  const rows = await db<{ plate_key: string }[]>`
    select distinct plate_key from vehicles where user_id = ${userId} order by plate_key`
  return rows.map(({ plate_key }) => plate_key)
}

/** Returns whether the sender of a message can read a reply to it. */
export const hasDeliveredReply = async (db: Db, messageId: string): Promise<boolean> => {
  const rows = await db`
    select from messages where id = ${messageId} and reply_encrypted is not null and not reply_withheld`
  return rows.length > 0
}

export type OwnReportRow = {
  id: string
  case_id: string
  key_envelope: Buffer
  side: ReportedSide
  message_id: string
  reason: ReportReason
  note_box: Buffer | null
  created_at: string
}

/** Lists the reports a user has made, newest first. */
export const listOwnReports = (db: Db, userId: string, before: string | null, limit: number) =>
  db<OwnReportRow[]>`
    select r.id, r.case_id, c.key_envelope, c.side, c.message_id, r.reason, r.note_box, r.created_at
    from reports r
    join report_cases c on c.id = r.case_id
    where r.reporter_id = ${userId} and r.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by r.id desc
    limit ${limit}`

/** The cases one statement deletes: a purge of many never holds its locks for long. */
const PURGE_CHUNK = 100

/** Deletes cases at the end of their period, with their reports. Several processes may do so at the same time. */
export const deleteOldCases = async (db: Db): Promise<void> => {
  for (let deleted = PURGE_CHUNK; deleted === PURGE_CHUNK; ) {
    const result = await db`
      delete from report_cases
      where id = any(array(
        select id from report_cases where created_at < now() - ${RETENTION.reportedMessages}::interval
        order by created_at limit ${PURGE_CHUNK} for update skip locked))`
    deleted = result.count
  }
}
