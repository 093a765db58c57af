import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Transaction } from '../db/pool.ts'
import { keyedHash } from '../encryption/envelope-encryption.ts'
import { enclosingNetworks } from '../limits/network.ts'
import { findOrCreateSubject } from '../subjects/queries.ts'
import { type Evidence, encryptEvidence, generateCaseKey } from './case-encryption.ts'
import { countIndependentReporters, insertCase, insertReport, listReporterTraces, setReporters } from './queries.ts'

type UnwantedNote = {
  /** The id of the sender's row, or of the note when that is gone. */
  messageId: string
  /** The sender (`hashPerson`). */
  person: Buffer
  content: string
  reason: Evidence['reason']
  leftAt: string
  reply: string | null
  repliedAt: string | null
}

/**
 * Reports a note in the transaction that deletes it (decision windshield-note): what it said, as for a message, and neither plate nor
 * code. The reporter has no account: their network alone identifies them.
 */
export async function reportNote(
  tx: Transaction,
  { keyring }: Pick<AppContext, 'keyring'>,
  note: UnwantedNote,
  ip: string,
): Promise<void> {
  const subjectId = await findOrCreateSubject(tx, note.person)
  const caseId = newId()
  const { dataKey, envelope } = generateCaseKey(keyring, caseId)
  const evidence: Evidence = {
    version: 1,
    message_id: note.messageId,
    content: note.content,
    reason: note.reason,
    typed_plate: null,
    inserted_at: note.leftAt,
    reply: note.reply,
    replied_at: note.repliedAt,
    has_image: false,
    vehicle: null,
    sender_person: note.person.toString('base64'),
    owner_person: null,
  }
  await insertCase(tx, {
    id: caseId,
    message_id: note.messageId,
    side: 'message',
    subject_id: subjectId,
    reason: 'other',
    key_envelope: envelope,
    evidence_box: encryptEvidence(dataKey, caseId, evidence),
    image_box: null,
  })
  const network = enclosingNetworks(ip).at(-1)!.network
  const hash = (what: string, value: string) => keyedHash(keyring, `report ${what} ${subjectId}`, value)
  await insertReport(tx, {
    id: newId(),
    case_id: caseId,
    reporter_id: null,
    reporter: hash('note', note.messageId),
    network: hash('network', network),
    plates: [],
    reason: 'other',
    note_box: null,
  })
  await setReporters(tx, subjectId, countIndependentReporters(await listReporterTraces(tx, subjectId)))
}
