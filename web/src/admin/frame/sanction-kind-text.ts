import type { SanctionKind } from '#contract/sanctions.ts'
import { m } from '~/paraglide/messages'

const KINDS: Record<SanctionKind, () => string> = {
  warn: m.person_kind_warn,
  limit: m.person_kind_limit,
  suspend: m.person_kind_suspend,
  delete_message: m.person_kind_delete_message,
}

/** Names the kind of a sanction, for admins. */
export const sanctionKindText = (kind: SanctionKind): string => KINDS[kind]()
