import type { MessageReason } from '#contract/messages.ts'
import type { Province } from '#contract/provinces.ts'
import type { ReportReason } from '#contract/reports.ts'
import type { VehicleStatus } from '#contract/vehicles.ts'
import type { AppContext } from '../context.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { type AssociatedData, decryptBytes, unwrapDataKey } from '../encryption/envelope-encryption.ts'
import type { ReportedSide } from './queries.ts'

/** What a case keeps of a message, besides its image. */
export type Evidence = {
  version: 1
  message_id: string
  content: string
  reason: MessageReason | null
  /** The plate as the sender typed it; null for a note. */
  typed_plate: string | null
  inserted_at: string
  reply: string | null
  replied_at: string | null
  has_image: boolean
  /** The vehicle it was written to, as it was at that moment; null: it was gone. */
  vehicle: {
    id: string
    plate: string
    province: Province
    make: string
    model: string
    registration_year: number
    status: VehicleStatus
  } | null
  /** The persons who wrote the message and the reply (`hashPerson`, in base64); null: nothing was known of them any more. */
  sender_person: string | null
  owner_person: string | null
}

/** What the values of a case are bound to. All but its key are encrypted with that key. */
export const caseData = {
  key: (caseId: string): AssociatedData => ({ table: 'report_cases', column: 'key', id: caseId }),
  evidence: (caseId: string): AssociatedData => ({ table: 'report_cases', column: 'evidence', id: caseId }),
  image: (caseId: string): AssociatedData => ({ table: 'report_cases', column: 'image', id: caseId }),
  note: (reportId: string): AssociatedData => ({ table: 'reports', column: 'note', id: reportId }),
}

/** Decrypts what a person wrote in a report. Throws a DecryptionError. */
export const decryptReportNote = (caseKey: Buffer, reportId: string, box: Buffer): string =>
  decryptBytes(caseKey, caseData.note(reportId), box).toString()

// What the inbox reads of cases, and does with them (decision admin-inbox).

type CaseState = 'open' | 'closed'

/** A case without any text. */
export type CaseRow = {
  id: string
  side: ReportedSide
  reason: ReportReason
  created_at: string
  closed_at: string | null
  /** How many people have reported the subject independently of each other. */
  reporters: number
  /** Stands before the others in the queue: at least three of them have. */
  is_raised: boolean
  state: CaseState
  subject_id: string
}

/** Selects a case without any text. */
const caseColumns = (db: Db) => db`id, side, reason, created_at, closed_at, reporters, is_raised, state, subject_id`

/** Finds cases by id, in no particular order. */
export const findCases = (db: Db, ids: string[]) =>
  db<CaseRow[]>`
    select ${caseColumns(db)}
    from report_cases where id = any(${ids}::uuid[])`

/** Lists the cases about one subject, newest first. */
export const listSubjectCases = (db: Db, subjectId: string, before: string | null, limit: number) =>
  db<CaseRow[]>`
    select ${caseColumns(db)}
    from report_cases
    where subject_id = ${subjectId} and id < coalesce(${before}, ${MAX_UUID})::uuid
    order by id desc
    limit ${limit}`

/** A case with the id of the message it is about, which may be gone. */
type LockedCase = CaseRow & { message_id: string }

/** Finds a case and locks it until the transaction ends, for a decision. */
export const lockCase = async (tx: Db, id: string): Promise<LockedCase | null> => {
  const [row] = await tx<LockedCase[]>`
    select ${caseColumns(tx)}, message_id
    from report_cases where id = ${id}
    for update`
  return row ?? null
}

/** Closes a case that the caller has locked. */
export const closeCase = async (tx: Db, id: string): Promise<void> => {
  await tx`update report_cases set state = 'closed', closed_at = now() where id = ${id}`
}

/** Counts the reports of a case. */
export const countReports = async (db: Db, id: string): Promise<number> => {
  const [row] = await db<{ reports: number }[]>`select count(*)::int as reports from reports where case_id = ${id}`
  return row!.reports // a count is always there
}

/** What one reporter said. */
type CaseReport = { id: string; reason: ReportReason; note: string | null; created_at: string }

/** A case with its texts. */
export type OpenedCase = CaseRow & {
  evidence: Evidence
  /** The image that came with the message, as WebP. */
  image: Buffer | null
  /** Oldest first. */
  reports: CaseReport[]
}

type EncryptedCase = CaseRow & { key_envelope: Buffer; evidence_box: Buffer; image_box: Buffer | null }
type EncryptedReport = Omit<CaseReport, 'note'> & { note_box: Buffer | null }

/**
 * Decrypts a case. The caller has written to the audit log who looks at it, and for what. Returns null when there is no such
 * case. Throws a DecryptionError when it was damaged.
 */
export async function readEvidence(
  { db, keyring }: Pick<AppContext, 'keyring'> & { db: Db },
  id: string,
): Promise<OpenedCase | null> {
  const [row] = await db<EncryptedCase[]>`
    select ${caseColumns(db)}, key_envelope, evidence_box, image_box
    from report_cases where id = ${id}`
  if (!row) return null
  const reports = await db<EncryptedReport[]>`
    select id, reason, created_at, note_box from reports where case_id = ${id} order by id`
  const { key_envelope, evidence_box, image_box, ...listed } = row
  const key = unwrapDataKey(keyring, caseData.key(id), key_envelope)
  return {
    ...listed,
    evidence: JSON.parse(decryptBytes(key, caseData.evidence(id), evidence_box).toString()) as Evidence,
    image: image_box && decryptBytes(key, caseData.image(id), image_box),
    reports: reports.map(({ note_box, ...report }) => ({
      ...report,
      note: note_box && decryptReportNote(key, report.id, note_box),
    })),
  }
}
