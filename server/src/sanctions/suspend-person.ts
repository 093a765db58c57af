import { type AuditActor, recordAction } from '../audit/record-action.ts'
import { recordEventOnServer } from '../auth/events.ts'
import { lockAccounts } from '../auth/user-queries.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail } from '../email/outbox.ts'
import { refuse } from '../refusal.ts'
import { accountsOfSubject, peopleOfWhatWaits, refuseOwnCase } from '../subjects/own-case.ts'
import { applySanction, describePerson } from './apply-sanction.ts'
import { findSubject, listAccounts, lockLiftable, setSanctionLifted } from './queries.ts'
import { encryptSanctionText } from './sanction-encryption.ts'

type SuspensionContext = Pick<AppContext, 'db' | 'keyring' | 'outbox'>

const sidesOf = (tx: Db, subjectId: string) =>
  peopleOfWhatWaits(tx, tx`select person_hash from subjects where id = ${subjectId}`)

/**
 * Suspends a person (decision sanctions-and-appeals): every account of the mailbox, also one that is made later. Returns after the commit.
 *
 * Refuses with `not_found`, `own_case`, `already_suspended`, `last_admin_suspended`.
 *
 * @param days null: until it is lifted
 */
export async function suspendPerson(
  context: SuspensionContext,
  actor: AuditActor,
  subjectId: string,
  { reason, days }: { reason: string | null; days: number | null },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { suspended } = (await findSubject(tx, subjectId)) ?? refuse('not_found')
    await refuseOwnCase(tx, actor, sidesOf(tx, subjectId))
    if (suspended) refuse('already_suspended')
    await applySanction(tx, context, { subjectId, kind: 'suspend', days, reason, actor })
  })
  context.outbox.wake()
}

/**
 * Lifts what is in force for a person, suspensions and limits, records it, and queues the emails about it. Returns after the commit.
 *
 * Refuses with `not_found`, `own_sanction`, `own_case` and `nothing_to_lift`.
 */
export async function liftSanctions(
  context: SuspensionContext,
  actor: AuditActor,
  subjectId: string,
  reason: string | null,
): Promise<void> {
  const { db, keyring, outbox } = context
  await inTransaction(db, async (tx) => {
    if (!(await findSubject(tx, subjectId))) refuse('not_found')
    await refuseOwnCase(tx, actor, accountsOfSubject(tx, subjectId), 'own_sanction')
    await refuseOwnCase(tx, actor, sidesOf(tx, subjectId))
    const accounts = await listAccounts(tx, subjectId)
    await lockAccounts(
      tx,
      accounts.map(({ id }) => id),
      false,
    )
    const lifted = await lockLiftable(tx, subjectId)
    const [newest] = lifted
    if (!newest) refuse('nothing_to_lift')
    for (const { id } of lifted)
      await setSanctionLifted(tx, id, reason === null ? null : encryptSanctionText(keyring, 'liftReason', id, reason))
    const wasSuspended = lifted.some(({ kind }) => kind === 'suspend')
    if (wasSuspended) await recordLifted(tx, accounts)
    const action = wasSuspended ? 'suspension_lifted' : 'limit_lifted'
    const entry = { actor, action, ...describePerson(subjectId, accounts), reason: reason ?? undefined } as const
    const refId = await recordAction(tx, keyring, entry)
    for (const { id } of accounts)
      await queueMail(tx, { kind: 'sanction_lifted', refId, recipientId: id, data: { sanction_id: newest.id } })
  })
  outbox.wake()
}

/** Records with the accounts that a suspension no longer keeps them out. */
export async function recordLifted(tx: Db, accounts: { id: string }[]): Promise<void> {
  for (const { id } of accounts) await recordEventOnServer(tx, id, 'suspension_lifted')
}
