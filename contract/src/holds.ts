import * as z from 'zod/mini'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'
import { EmailInput, hasAtMostCharacters, isSendable, PlateInput, Province, UNSENDABLE_TEXT } from './fields.ts'
import { hasVisibleCharacter } from './visible-text.ts'

// Legal holds (decision 0117): what an authority asks to be preserved. Only admins know of one.

/** Maximum lengths, in characters. */
export const HOLD_REASON_MAX = 1_000
export const HOLD_REFERENCE_MAX = 200

/** How far ahead the last day of a hold can be, in months. It can be extended. */
export const HOLD_MONTHS_MAX = 12

/** Returns the first and the last day ('2026-11-23') that a hold can end on, seen from a day. */
export function holdDays(today: string): { first: string; last: string } {
  const last = new Date(`${today}T12:00:00Z`)
  last.setUTCMonth(last.getUTCMonth() + HOLD_MONTHS_MAX)
  return { first: today, last: last.toISOString().slice(0, 10) }
}

const DAY_TEXT = `A day within the next ${HOLD_MONTHS_MAX} months.`
const EndsOn = z.iso.date(DAY_TEXT)

const text = (max: number, missing: string) =>
  z
    .string(missing)
    .check(
      z.trim(),
      z.refine(hasVisibleCharacter, missing),
      z.refine(hasAtMostCharacters(max), `At most ${max.toLocaleString('en-CA')} characters.`),
      z.refine(isSendable, UNSENDABLE_TEXT),
    )
const Reason = text(HOLD_REASON_MAX, 'Please give a reason.')

export const HOLD_DAY_TEXT = DAY_TEXT
export const HOLD_NO_ACCOUNT_TEXT = 'There is no account with this address.'

export const Hold = z.object({
  id: z.uuid(),
  /** The held account, with its address when the hold was placed; null: a plate is held. */
  account: z.nullable(z.object({ id: z.uuid(), email: z.string(), exists: z.boolean() })),
  plate: z.nullable(z.string()),
  province: z.nullable(Province),
  reason: z.string(),
  reference: z.string(),
  placed_by: z.string(),
  created_at: z.iso.datetime(),
  /** The last day, in Toronto. */
  ends_on: z.iso.date(),
  lifted_at: z.nullable(z.iso.datetime()),
  lift_reason: z.nullable(z.string()),
  in_force: z.boolean(),
  /** How many records it has kept so far. */
  kept: z.number(),
})
export type Hold = z.infer<typeof Hold>

export const listHolds = endpoint({
  method: 'GET',
  path: '/api/admin/holds',
  audience: 'admin',
  status: 200,
  summary: 'Legal holds, the latest first: those in force, or those that ended.',
  input: z.extend(PageParams, { state: z._default(z.enum(['in_force', 'ended']), 'in_force') }),
  output: pageOf(Hold),
})

const Terms = { reason: Reason, reference: text(HOLD_REFERENCE_MAX, 'Please fill this in.'), ends_on: EndsOn }

export const holdAccount = endpoint({
  method: 'POST',
  path: '/api/admin/holds/account',
  audience: 'admin',
  status: 201,
  summary: 'Preserves what is deleted of an account and its vehicles; needs a fresh second factor.',
  input: z.object({ email: EmailInput, ...Terms }),
  output: Hold,
})

export const holdPlate = endpoint({
  method: 'POST',
  path: '/api/admin/holds/plate',
  audience: 'admin',
  status: 201,
  summary: 'Preserves what is deleted of the registrations of a plate and their messages; needs a fresh second factor.',
  input: z.object({ plate: PlateInput, province: Province, ...Terms }),
  output: Hold,
})

export const extendHold = endpoint({
  method: 'POST',
  path: '/api/admin/holds/:id/extend',
  audience: 'admin',
  status: 200,
  summary: 'Gives a hold in force another last day; needs a fresh second factor.',
  input: z.extend(IdParam, { reason: Reason, ends_on: EndsOn }),
  output: Hold,
})

export const liftHold = endpoint({
  method: 'POST',
  path: '/api/admin/holds/:id/lift',
  audience: 'admin',
  status: 200,
  summary: 'Ends a hold before its last day, and with it what it kept; needs a fresh second factor.',
  input: z.extend(IdParam, { reason: Reason }),
  output: Hold,
})
