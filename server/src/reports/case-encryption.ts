import type { MessageReason } from '#contract/messages.ts'
import type { Province } from '#contract/provinces.ts'
import type { VehicleStatus } from '#contract/vehicles.ts'
import {
  type AssociatedData,
  decryptBytes,
  encryptBytes,
  generateDataKey,
  type Keyring,
  unwrapDataKey,
} from '../encryption/envelope-encryption.ts'

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

const keyOf = (caseId: string): AssociatedData => ({ table: 'report_cases', column: 'key', id: caseId })
const evidenceOf = (caseId: string): AssociatedData => ({ table: 'report_cases', column: 'evidence', id: caseId })
const imageOf = (caseId: string): AssociatedData => ({ table: 'report_cases', column: 'image', id: caseId })
const noteOf = (reportId: string): AssociatedData => ({ table: 'reports', column: 'note', id: reportId })

/** Generates the key of a case, and its envelope. */
export const generateCaseKey = (keyring: Keyring, caseId: string) => generateDataKey(keyring, keyOf(caseId))

/** Decrypts the key of a case. Throws a DecryptionError. */
export const openCaseKey = (keyring: Keyring, caseId: string, envelope: Buffer): Buffer =>
  unwrapDataKey(keyring, keyOf(caseId), envelope)

/** Encrypts the texts of a case with the case key. */
export const encryptEvidence = (caseKey: Buffer, caseId: string, evidence: Evidence): Buffer =>
  encryptBytes(caseKey, evidenceOf(caseId), Buffer.from(JSON.stringify(evidence)))

/** Decrypts the texts of a case. Throws a DecryptionError. */
export const decryptEvidence = (caseKey: Buffer, caseId: string, box: Buffer): Evidence =>
  JSON.parse(decryptBytes(caseKey, evidenceOf(caseId), box).toString()) as Evidence

/** Encrypts the image of a case with the case key. */
export const encryptCaseImage = (caseKey: Buffer, caseId: string, image: Buffer): Buffer =>
  encryptBytes(caseKey, imageOf(caseId), image)

/** Decrypts the image of a case. Throws a DecryptionError. */
export const decryptCaseImage = (caseKey: Buffer, caseId: string, box: Buffer): Buffer =>
  decryptBytes(caseKey, imageOf(caseId), box)

/** Encrypts what a person wrote in a report with the case key. */
export const encryptReportComment = (caseKey: Buffer, reportId: string, note: string): Buffer =>
  encryptBytes(caseKey, noteOf(reportId), Buffer.from(note))

/** Decrypts what a person wrote in a report; null when they wrote nothing. Throws a DecryptionError. */
export const decryptReportComment = (caseKey: Buffer, reportId: string, box: Buffer | null): string | null =>
  box && decryptBytes(caseKey, noteOf(reportId), box).toString()
