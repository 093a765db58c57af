import type { AdminPerson } from '#contract/people.ts'
import { formatUserSubject, reasonAssociatedData } from '../audit/record-action.ts'
import type { Db } from '../db/pool.ts'
import { type DecryptContext, decryptForDisplay } from '../encryption/decrypt-for-display.ts'
import { refuse } from '../refusal.ts'
import { UNREADABLE_TEXT } from '../sanctions/make-appeal.ts'
import { findSubject } from '../sanctions/queries.ts'
import { type SanctionText, sanctionTextData } from '../sanctions/sanction-encryption.ts'
import { listPersonAccounts, listPersonCases, listPersonOpenings, listPersonSanctions } from './person-queries.ts'

/** Returns what admins may see of a person: nothing that somebody wrote to somebody. Refuses with `not_found`. */
export async function getPerson(db: Db, decryptContext: DecryptContext, id: string): Promise<AdminPerson> {
  const subject = (await findSubject(db, id)) ?? refuse('not_found')
  const [accounts, sanctions, cases, openings] = await Promise.all([
    listPersonAccounts(db, id),
    listPersonSanctions(db, id),
    listPersonCases(db, id),
    listPersonOpenings(db, id),
  ])
  const read = (text: SanctionText, rowId: string, encrypted: Buffer | null) =>
    encrypted && decryptForDisplay(decryptContext, sanctionTextData(text, rowId), encrypted, UNREADABLE_TEXT)
  return {
    ...subject,
    accounts: accounts.map(({ email, ...account }) => ({ ...account, address: formatUserSubject(email) })),
    sanctions: sanctions.map(({ appeal_id, appealed_at, upheld, ...sanction }) => ({
      ...sanction,
      reason: read('reason', sanction.id, sanction.reason_encrypted),
      lift_reason: read('liftReason', sanction.id, sanction.lift_reason_encrypted),
      appeal: appeal_id !== null && appealed_at !== null ? { id: appeal_id, created_at: appealed_at, upheld } : null,
    })),
    cases,
    openings: openings.map(({ reason_encrypted, ...opening }) => ({
      ...opening,
      purpose:
        reason_encrypted &&
        decryptForDisplay(decryptContext, reasonAssociatedData(opening.id), reason_encrypted, UNREADABLE_TEXT),
    })),
  }
}
