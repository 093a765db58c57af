import type { ComponentProps } from 'react'
import { SANCTION_DAYS_MAX, SANCTION_REASON_MAX, type SanctionKind } from '#contract/sanctions.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { m } from '~/paraglide/messages'
import { TextField } from '~/ui/Field'
import { TextArea } from '~/ui/TextArea'

const KINDS: Record<SanctionKind, () => string> = {
  warn: m.person_kind_warn,
  limit: m.person_kind_limit,
  suspend: m.person_kind_suspend,
  delete_message: m.person_kind_delete_message,
}

/** Names the kind of a sanction, for admins. */
export const sanctionKindText = (kind: SanctionKind): string => KINDS[kind]()

/** Validates the reason of a decision: returns true, or what is wrong. */
export function validateReason(typed: string): true | string {
  if (!hasVisibleCharacter(typed)) return m.person_reason_missing()
  return [...typed.trim()].length <= SANCTION_REASON_MAX || m.person_reason_too_long({ max: SANCTION_REASON_MAX })
}

const isDuration = (typed: string): boolean =>
  typed.trim() === '' || (/^\d{1,4}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= SANCTION_DAYS_MAX)

/** Validates a decision: its reason, and its duration in days, if any. */
export const validateSanction = ({ reason, days }: { reason: string; days: string }) => ({
  reason: validateReason(reason),
  days: isDuration(days) || m.person_days_wrong({ max: SANCTION_DAYS_MAX }),
})

/** Asks for the reason of a decision, which the person reads unless the hint says otherwise. */
export const ReasonField = (field: Omit<ComponentProps<typeof TextArea>, 'label' | 'maxCharacters'>) => (
  <TextArea
    label={m.person_reason()}
    hint={m.person_reason_hint()}
    rows={4}
    maxCharacters={SANCTION_REASON_MAX}
    {...field}
  />
)

/** Asks for how many days a decision lasts. */
export const DaysField = (field: Omit<ComponentProps<typeof TextField>, 'label'>) => (
  <div className="max-w-60">
    <TextField
      label={m.person_days()}
      hint={m.person_days_hint()}
      optional
      inputMode="numeric"
      autoComplete="off"
      {...field}
    />
  </div>
)

/** Returns a decision as it is sent. */
export const sanctionInput = ({ reason, days }: { reason: string; days: string }) => ({
  reason: reason.trim(),
  ...(days.trim() !== '' && { days: Number(days) }),
})
