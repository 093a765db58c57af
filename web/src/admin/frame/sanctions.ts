import { SANCTION_DAYS_MAX, SANCTION_REASON_MAX, type SanctionKind } from '#contract/sanctions.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { m } from '~/paraglide/messages'

const KINDS: Record<SanctionKind, () => string> = {
  warn: m.person_kind_warn,
  limit: m.person_kind_limit,
  suspend: m.person_kind_suspend,
  delete_message: m.person_kind_delete_message,
}

/** Names the kind of a sanction, for admins. */
export const sanctionKindText = (kind: SanctionKind): string => KINDS[kind]()

/** Validates the reason of a decision, which the person reads: returns true, or what is wrong. */
export function validateReason(typed: string): true | string {
  if (!hasVisibleCharacter(typed)) return m.person_reason_missing()
  return [...typed.trim()].length <= SANCTION_REASON_MAX || m.person_reason_too_long({ max: SANCTION_REASON_MAX })
}

/** Returns whether what was typed is a duration in days, or none. */
export const isDuration = (typed: string): boolean =>
  typed.trim() === '' || (/^\d{1,4}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= SANCTION_DAYS_MAX)

/** Returns a decision as it is sent. */
export const sanctionInput = ({ reason, days }: { reason: string; days: string }) => ({
  reason: reason.trim(),
  ...(days.trim() !== '' && { days: Number(days) }),
})
