import type { SanctionKind } from '#contract/sanctions.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { showSanctionText } from './sanction-encryption.ts'

type OwnSanctionRow = {
  id: string
  kind: SanctionKind
  reason_encrypted: Buffer | null
  created_at: string
  ends_at: string | null
  lifted_at: string | null
  lift_reason_encrypted: Buffer | null
  appeal_id: string | null
  appealed_at: string | null
  text_encrypted: Buffer | null
  upheld: boolean | null
  decision_reason_encrypted: Buffer | null
}

/** Lists what was decided about the person of an account, and what they answered, the latest first. */
export const listOwnSanctions = (db: Db, userId: string, before: string | null, limit: number) =>
  db<OwnSanctionRow[]>`
    select s.id, s.kind, s.reason_encrypted, s.created_at, s.ends_at, s.lifted_at, s.lift_reason_encrypted,
      a.id as appeal_id, a.created_at as appealed_at, a.text_encrypted, a.upheld, a.decision_reason_encrypted
    from auth.users u
    join subjects p on p.person_hash = u.person_hash
    join sanctions s on s.subject_id = p.id
    left join appeals a on a.sanction_id = s.id
    where u.id = ${userId} and u.email_confirmed_at is not null and s.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by s.id desc
    limit ${limit}`

/** Converts a sanction for the export (`docs/export.md`). */
export function toExportedSanction(decryptContext: DecryptContext, row: OwnSanctionRow): object {
  const { id, kind, created_at, ends_at, lifted_at, appeal_id, appealed_at, upheld } = row
  return {
    kind,
    reason: showSanctionText(decryptContext, 'reason', id, row.reason_encrypted),
    created_at,
    ends_at,
    lifted_at,
    lift_reason: showSanctionText(decryptContext, 'liftReason', id, row.lift_reason_encrypted),
    appeal: appeal_id && {
      created_at: appealed_at,
      text: showSanctionText(decryptContext, 'appeal', appeal_id, row.text_encrypted),
      upheld,
      reason: showSanctionText(decryptContext, 'decisionReason', appeal_id, row.decision_reason_encrypted),
    },
  }
}
