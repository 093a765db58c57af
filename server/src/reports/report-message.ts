import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/reports.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import {
  encryptBytes,
  generateDataKey,
  type Keyring,
  keyedHash,
  unwrapDataKey,
} from '../encryption/envelope-encryption.ts'
import { userRoute } from '../http/route.ts'
import { personLimitKey } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { enclosingNetworks } from '../limits/network.ts'
import { findMessageParties } from '../messages/parties.ts'
import { refuse } from '../refusal.ts'
import { findOrCreateSubject } from '../subjects/queries.ts'
import { caseData, type Evidence } from './case-queries.ts'
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
  { reason, note }: contract.NewReport,
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
    const id = newId()
    const report = {
      id,
      case_id: one.id,
      reporter_id: reporter.id,
      reporter: hashTrace(keyring, one.subject_id, 'person', reporter.personHash.toString('base64')),
      network: hashNetwork(keyring, one.subject_id, reporter.ip),
      plates: (await listPlateKeys(tx, reporter.id)).map((plate) => hashTrace(keyring, one.subject_id, 'plate', plate)),
      reason,
      note_box: note
        ? encryptBytes(
            unwrapDataKey(keyring, caseData.key(one.id), one.key_envelope),
            caseData.note(id),
            Buffer.from(note),
          )
        : null,
    }
    const created_at = (await insertReport(tx, report)) ?? refuse('already_reported')
    // only now: the row of the report waits for a decision that is being taken
    await reopenCase(tx, one.id)
    await raiseReason(tx, one.id, reason, contract.REPORT_REASONS)
    await countReporters(tx, one.subject_id)
    return { id, created_at }
  })
}

/** Finds the case of what is reported, or creates it. Its subject is locked, so that its reporters are counted one by one. */
async function findOrCreateCase(
  tx: Db,
  keyring: Keyring,
  { person, ...reported }: Reported,
  reason: contract.NewReport['reason'],
): Promise<CaseKeyRow> {
  const found = await findCase(tx, reported.messageId, reported.side)
  // somebody of whom nothing is known any more stays apart from all others
  const subjectId = person || !found ? await findOrCreateSubject(tx, person ?? randomBytes(32)) : found.subject_id
  return found ?? createCase(tx, keyring, { ...reported, subjectId, reason })
}

/** Stores a copy of what is reported, under a key of its own. */
function createCase(
  tx: Db,
  keyring: Keyring,
  {
    messageId,
    side,
    evidence,
    image,
    subjectId,
    reason,
  }: Omit<Reported, 'person'> & { subjectId: string; reason: contract.NewReport['reason'] },
): Promise<CaseKeyRow> {
  const id = newId()
  const { dataKey, envelope } = generateDataKey(keyring, caseData.key(id))
  return insertCase(tx, {
    id,
    message_id: messageId,
    side,
    subject_id: subjectId,
    reason,
    key_envelope: envelope,
    evidence_box: encryptBytes(dataKey, caseData.evidence(id), Buffer.from(JSON.stringify(evidence))),
    image_box: image && encryptBytes(dataKey, caseData.image(id), image),
  })
}

/** Hashes what shows which reporters of one subject belong together. */
const hashTrace = (keyring: Keyring, subjectId: string, what: string, value: string): Buffer =>
  keyedHash(keyring, `report ${what} ${subjectId}`, value)

/** Hashes the network of a reporter, taken as wide as one holder may have it. */
const hashNetwork = (keyring: Keyring, subjectId: string, ip: string): Buffer =>
  hashTrace(keyring, subjectId, 'network', enclosingNetworks(ip).at(-1)!.network)

/** Counts how many independent people have reported a subject, who has one report more. */
const countReporters = async (tx: Db, subjectId: string): Promise<void> =>
  setReporters(tx, subjectId, countIndependentReporters(await listReporterTraces(tx, subjectId)))

/**
 * Reports a note in the transaction that deletes it (decision windshield-note): what it said, as for a message, and neither plate nor
 * code. The reporter has no account: their network alone identifies them.
 *
 * @param person the sender (`hashPerson`)
 * @param note `message_id` is that of the sender's row, or of the note when that is gone
 */
export async function reportNote(
  tx: Db,
  { keyring }: Pick<AppContext, 'keyring'>,
  person: Buffer,
  note: Pick<Evidence, 'message_id' | 'content' | 'reason' | 'inserted_at' | 'reply' | 'replied_at'>,
  ip: string,
): Promise<void> {
  const subjectId = await findOrCreateSubject(tx, person)
  const { id: caseId } = await createCase(tx, keyring, {
    messageId: note.message_id,
    side: 'message',
    subjectId,
    reason: 'other',
    evidence: {
      ...{ version: 1, ...note, typed_plate: null, has_image: false, vehicle: null },
      ...{ sender_person: person.toString('base64'), owner_person: null },
    },
    image: null,
  })
  await insertReport(tx, {
    id: newId(),
    case_id: caseId,
    reporter_id: null,
    reporter: hashTrace(keyring, subjectId, 'note', note.message_id),
    network: hashNetwork(keyring, subjectId, ip),
    plates: [],
    reason: 'other',
    note_box: null,
  })
  await countReporters(tx, subjectId)
}

/** Registers the report of a message (decision message-reports). */
export function reportRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, contract.reportMessage, ({ id: messageId, ...report }, { id, personHash }, { request }) =>
    reportMessage(context, { id, personHash, ip: request.ip }, messageId, report),
  )
}
