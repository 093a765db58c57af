import type { OpenedReport } from '#contract/inbox.ts'
import { showAuditReason } from '../audit/list-audit-log.ts'
import { findLatestEntriesAbout } from '../audit/queries.ts'
import { type AuditActor, recordAction } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { type DecryptContext, reportUndecryptable } from '../encryption/decrypt-for-display.ts'
import { DecryptionError, type Keyring } from '../encryption/envelope-encryption.ts'
import { refuse } from '../refusal.ts'
import { listSubjectCases, lockCase, type OpenedCase, readEvidence } from '../reports/case-queries.ts'
import { listSanctionsForAdmins } from '../sanctions/list-for-admins.ts'
import { peopleOfCase, refuseOwnCase } from '../subjects/own-case.ts'
import { withDecisions } from './list-inbox.ts'

/** What an admin looks at besides the report: more than a person has. */
const MAX_HISTORY = 20

/**
 * Returns a report with its texts, for an admin who says what for: that is recorded first (decision admin-inbox). Refuses with
 * `not_found`, and with `own_case` to every side of it.
 */
export const openReport = (
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  decryptContext: DecryptContext,
  admin: NonNullable<AuditActor>,
  { id, purpose }: { id: string; purpose: string },
): Promise<OpenedReport> =>
  inTransaction(db, async (tx) => {
    const row = (await lockCase(tx, id)) ?? refuse('not_found')
    await refuseOwnCase(tx, admin, peopleOfCase(tx, id))
    await recordAction(tx, keyring, {
      actor: admin,
      action: 'report_opened',
      subject: row.reason,
      subjectId: id,
      reason: purpose,
    })
    const [item] = await withDecisions(tx, [row])
    return {
      ...item!, // one row, one item
      ...(await readTexts(tx, keyring, decryptContext, id)),
      decision_reason: row.state === 'closed' ? await readDecisionReason(tx, decryptContext, id) : null,
      ...(await readHistory(tx, decryptContext, row)),
    }
  })

/** Returns what was reported; nothing of it when the copy was damaged, so that it can still be decided. */
async function readTexts(tx: Db, keyring: Keyring, { log }: DecryptContext, id: string) {
  let found: OpenedCase | null = null
  try {
    found = await readEvidence({ db: tx, keyring }, id)
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    reportUndecryptable(log, { table: 'report_cases', column: 'evidence', id })
  }
  return {
    evidence: found?.evidence ?? null,
    image: found?.image ? `data:image/webp;base64,${found.image.toString('base64')}` : null,
    reports: found?.reports ?? [],
  }
}

async function readDecisionReason(tx: Db, decryptContext: DecryptContext, caseId: string): Promise<string | null> {
  const [entry] = await findLatestEntriesAbout(tx, 'report_decided', [caseId])
  return entry ? showAuditReason(decryptContext, entry.id, entry.reason_encrypted) : null
}

async function readHistory(tx: Db, decryptContext: DecryptContext, row: { id: string; subject_id: string }) {
  const cases = await listSubjectCases(tx, row.subject_id, null, MAX_HISTORY + 1)
  const others = cases.filter(({ id }) => id !== row.id).slice(0, MAX_HISTORY)
  return {
    other_reports: await withDecisions(tx, others),
    sanctions: await listSanctionsForAdmins(tx, decryptContext, row.subject_id, MAX_HISTORY),
  }
}
