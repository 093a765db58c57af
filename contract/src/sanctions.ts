// chunk: signed-in

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { trimmedText } from './fields.ts'

/** What admins can decide about a person (decision admin-inbox). `delete_message` is the record of a message that was removed. */
const SANCTION_KINDS = ['warn', 'limit', 'suspend', 'delete_message'] as const
export const SanctionKind = z.enum(SANCTION_KINDS)
export type SanctionKind = z.infer<typeof SanctionKind>

/** Returns whether a sanction lasts, for days or until it is lifted. */
export const isLasting = (kind: SanctionKind): boolean => kind === 'limit' || kind === 'suspend'

/** How many messages a day a person can send under the sanction `limit`. */
export const LIMITED_MESSAGES_PER_DAY = 2

/** How many days a person can appeal. */
export const APPEAL_DAYS = 20

/** Maximum lengths, in characters. */
export const SANCTION_REASON_MAX = 1_000
export const APPEAL_TEXT_MAX = 2_000

/** Maximum duration of a sanction that ends by itself, in days. */
export const SANCTION_DAYS_MAX = 3_650

/** The reason of a decision about a person, which the person reads as it is written. */
export const SanctionReason = trimmedText(SANCTION_REASON_MAX, 'reason_missing')

/** For how many days; left out: until it is lifted. */
export const SanctionDays = z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(SANCTION_DAYS_MAX)))

/** A sanction, as the person reads it. */
export const OwnSanction = z.object({
  kind: SanctionKind,
  /** Null when none was written down. */
  reason: z.nullable(z.string()),
  created_at: z.iso.datetime(),
  /** When it ends by itself; null: it does not last, or lasts until it is lifted. */
  ends_at: z.nullable(z.iso.datetime()),
  in_force: z.boolean(),
  appealable_until: z.iso.datetime(),
  /** `open`: can be appealed; `made`: was, and waits; `kept` and `lifted`: decided; `late`: the time is over. */
  appeal: z.enum(['open', 'made', 'kept', 'lifted', 'late']),
})
export type OwnSanction = z.infer<typeof OwnSanction>

/**
 * What comes with an emailed link. Without it the call is about the signed-in person's suspension in force, the longest of
 * several, or else about their newest sanction.
 */
const AppealToken = z.optional(z.string().check(z.maxLength(200)))

export const getOwnSanction = endpoint({
  method: 'POST',
  path: '/api/appeals/sanction',
  audience: 'public',
  summary: 'The sanction that an emailed link is about, or the newest of the signed-in person, suspended or not.',
  input: z.object({ token: AppealToken }),
  output: OwnSanction,
})

export const makeAppeal = endpoint({
  method: 'POST',
  path: '/api/appeals',
  audience: 'public',
  status: 201,
  summary: 'Appeals a sanction: once, within 20 days, by the emailed link or signed in, suspended or not.',
  input: z.object({ token: AppealToken, text: trimmedText(APPEAL_TEXT_MAX, 'appeal_missing') }),
  output: z.object({ id: z.uuid() }),
})
