import { randomBytes } from 'node:crypto'
import { type NewReport, REPORT_REASONS } from '#contract/reports.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { personLimitKey } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { enclosingNetworks } from '../limits/network.ts'
import { findMessageParties } from '../messages/parties.ts'
import { refuse } from '../refusal.ts'
import { findOrCreateSubject } from '../subjects/queries.ts'
import {
  type Evidence,
  encryptCaseImage,
  encryptEvidence,
  encryptReportComment,
  generateCaseKey,
  openCaseKey,
} from './case-encryption.ts'
import { gatherEvidence } from './gather-evidence.ts'
import {
  type CaseKeyRow,
  countIndependentReporters,
  findCase,
  hasDeliveredReply,
  insertCase,
  insertReport,
  listPlateKeys,
  listReporterTraces,
  type ReportedSide,
  type ReporterTraces,
  raiseReason,
  reopenCase,
  setReporters,
} from './queries.ts'

/** Who reports, and from where. */
type Reporter = { id: string; personHash: Buffer; ip: string }

/** What a first report copies. */
type Reported = {
  messageId: string
  side: ReportedSide
  /** The author; null: nothing is known of that person any more. */
  person: Buffer | null
  evidence: Evidence
  image: Buffer | null
}

/**
 * Reports a message to the moderators (decision message-reports): the recipient reports the message, the sender the reply to it. The
 * first report copies everything under a key of its own, so that it outlives both accounts, the vehicle and the message. A later
 * one opens a case again that was decided meanwhile.
 *
 * Refuses with `not_found`, `nothing_to_report`, `too_many_requests`, and with `already_reported` for a second report of one
 * person.
 */
export async function reportMessage(
  context: AppContext,
  reporter: Reporter,
  messageId: string,
  { reason, note }: NewReport,
): Promise<{ id: string; created_at: string }> {
  const { config, db, keyring } = context
  const parties = (await findMessageParties(context, messageId, reporter.id)) ?? refuse('not_found')
  const side = parties.view === 'received' ? 'message' : 'reply'
  if (side === 'reply' && !(await hasDeliveredReply(db, messageId))) refuse('nothing_to_report')
  await enforceLimit(db, config, 'reportsPerDay', personLimitKey(keyring, 'report', reporter.personHash), 'reports')
  const copy = (await gatherEvidence(context, messageId, parties)) ?? refuse('not_found')
  const person = side === 'message' ? parties.sender : parties.replier

  return inTransaction(db, async (tx) => {
    const one = await findOrCreateCase(tx, keyring, { messageId, side, person, ...copy }, reason)
    const traces = hashTraces(keyring, one.subject_id, reporter, await listPlateKeys(tx, reporter.id))
    const id = newId()
    const note_box = note ? encryptReportComment(openCaseKey(keyring, one.id, one.key_envelope), id, note) : null
    const report = { id, case_id: one.id, reporter_id: reporter.id, ...traces, reason, note_box }
    const created_at = (await insertReport(tx, report)) ?? refuse('already_reported')
    // only now: the row of the report waits for a decision that is being taken
    await reopenCase(tx, one.id)
    await raiseReason(tx, one.id, reason, REPORT_REASONS)
    const reporters = countIndependentReporters(await listReporterTraces(tx, one.subject_id))
    await setReporters(tx, one.subject_id, reporters)
    return { id, created_at }
  })
}

/** Finds the case of what is reported, or creates it. Its subject is locked, so that its reporters are counted one by one. */
async function findOrCreateCase(
  tx: Db,
  keyring: Keyring,
  { messageId, side, person, evidence, image }: Reported,
  reason: NewReport['reason'],
): Promise<CaseKeyRow> {
  const found = await findCase(tx, messageId, side)
  // somebody of whom nothing is known any more stays apart from all others
  const subjectId = person || !found ? await findOrCreateSubject(tx, person ?? randomBytes(32)) : found.subject_id
  if (found) return found
  const id = newId()
  const { dataKey, envelope } = generateCaseKey(keyring, id)
  return insertCase(tx, {
    id,
    message_id: messageId,
    side,
    subject_id: subjectId,
    reason,
    key_envelope: envelope,
    evidence_box: encryptEvidence(dataKey, id, evidence),
    image_box: image && encryptCaseImage(dataKey, id, image),
  })
}

/** Hashes what shows which reporters of one subject belong together. A network is taken as wide as one holder may have it. */
function hashTraces(keyring: Keyring, subjectId: string, reporter: Reporter, plateKeys: string[]): ReporterTraces {
  const hash = (what: string, value: string) => keyedHash(keyring, `report ${what} ${subjectId}`, value)
  return {
    reporter: hash('person', reporter.personHash.toString('base64')),
    network: hash('network', enclosingNetworks(reporter.ip).at(-1)!.network),
    plates: plateKeys.map((plate) => hash('plate', plate)),
  }
}
