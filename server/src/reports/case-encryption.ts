import type { MessageReason } from '#contract/messages.ts'
import type { Province } from '#contract/provinces.ts'
import type { VehicleStatus } from '#contract/vehicles.ts'
import { type AssociatedData, decryptBytes } from '../encryption/envelope-encryption.ts'

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
