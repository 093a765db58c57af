import type { AdminAppeal, OpenedAppeal } from '#contract/inbox.ts'
import { type AuditActor, recordAction } from '../audit/record-action.ts'
import { hasOtherAdmin, lockAccounts } from '../auth/user-queries.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail } from '../email/outbox.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import type { Actor } from '../http/actor.ts'
import { refuse } from '../refusal.ts'
import { accountsOfSubject, peopleOfCase, refuseOwnCase } from '../subjects/own-case.ts'
import { describePerson } from './apply-sanction.ts'
import {
  type AppealRow,
  findAppeal,
  findSubject,
  listAccounts,
  lockAppeal,
  setAppealDecided,
  setSanctionLifted,
} from './queries.ts'
import { encryptSanctionText, showSanctionText } from './sanction-encryption.ts'
import { recordLifted } from './suspend-person.ts'

/** Returns an appeal as an admin sees it, without its text. */
export const toAppeal = (actor: AuditActor, row: AppealRow): AdminAppeal => ({
  id: row.id,
  subject_id: row.subject_id,
  created_at: row.created_at,
  state: row.upheld === null ? 'open' : 'closed',
  upheld: row.upheld,
  sanction: {
    id: row.sanction_id,
    kind: row.kind,
    case_id: row.case_id,
    created_at: row.sanction_created_at,
    ends_at: row.ends_at,
    lifted_at: row.lifted_at,
    decided_by_email: row.decided_by_email,
  },
  own_decision: actor !== null && row.decided_by === actor.id,
})

/** Refuses an admin the appeal of their own sanction, and of one that was decided in a case of which they are a side. */
async function refuseOwnAppeal(db: Db, actor: AuditActor, { subject_id, case_id }: AppealRow): Promise<void> {
  await refuseOwnCase(db, actor, accountsOfSubject(db, subject_id), 'own_sanction')
  if (case_id !== null) await refuseOwnCase(db, actor, peopleOfCase(db, case_id))
}

/**
 * Returns one appeal with its text. That it was opened is in the audit log. Refuses with `not_found`, `own_sanction` and `own_case`.
 */
export async function openAppeal(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  decryptContext: DecryptContext,
  actor: Actor,
  id: string,
): Promise<OpenedAppeal> {
  const row = (await findAppeal(db, id)) ?? refuse('not_found')
  await refuseOwnAppeal(db, actor, row)
  const person = describePerson(row.subject_id, await listAccounts(db, row.subject_id))
  await recordAction(db, keyring, { actor, action: 'appeal_opened', ...person })
  return {
    ...toAppeal(actor, row),
    text: showSanctionText(decryptContext, 'appeal', id, row.text_encrypted),
    reason: showSanctionText(decryptContext, 'reason', row.sanction_id, row.reason_encrypted),
    decision_reason: showSanctionText(decryptContext, 'decisionReason', id, row.decision_reason_encrypted),
  }
}

/**
 * Decides an appeal (decision sanctions-and-appeals): keeps the sanction or lifts it, and notifies the person. The admin who decided the
 * sanction does so only while there is no other admin who can sign in. Returns after the commit.
 *
 * Refuses with `not_found`, `own_sanction`, `own_case`, `appeal_closed`, `appeal_needs_another_admin`.
 */
export async function decideAppeal(
  context: Pick<AppContext, 'db' | 'keyring' | 'outbox'>,
  actor: AuditActor,
  id: string,
  { uphold, reason }: { uphold: boolean; reason: string },
): Promise<void> {
  const { db, keyring, outbox } = context
  await inTransaction(db, async (tx) => {
    const { subject_id: subjectId } = (await findAppeal(tx, id)) ?? refuse('not_found')
    const accounts = await listAccounts(tx, subjectId)
    await lockAccounts(
      tx,
      accounts.map((account) => account.id),
      false,
    )
    await lockAppeal(tx, id)
    const appeal = (await findAppeal(tx, id)) ?? refuse('not_found')
    await refuseOwnAppeal(tx, actor, appeal)
    if (appeal.upheld !== null) refuse('appeal_closed')
    if (actor && appeal.decided_by === actor.id && (await hasOtherAdmin(tx, [actor.id])))
      refuse('appeal_needs_another_admin')
    await setAppealDecided(tx, id, {
      upheld: uphold,
      decidedBy: actor?.id ?? null,
      encryptedReason: encryptSanctionText(keyring, 'decisionReason', id, reason),
    })
    if (!uphold && appeal.lifted_at === null) {
      const sanctionId = appeal.sanction_id
      await setSanctionLifted(tx, sanctionId, encryptSanctionText(keyring, 'liftReason', sanctionId, reason))
      const subject = await findSubject(tx, subjectId)
      if (appeal.kind === 'suspend' && !subject?.suspended) await recordLifted(tx, accounts)
    }
    const action = uphold ? 'appeal_upheld' : 'appeal_granted'
    const refId = await recordAction(tx, keyring, { actor, action, ...describePerson(subjectId, accounts), reason })
    for (const account of accounts)
      await queueMail(tx, { kind: 'appeal_decided', refId, recipientId: account.id, data: { appeal_id: id } })
  })
  outbox.wake()
}
