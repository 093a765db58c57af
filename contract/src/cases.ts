import * as z from 'zod/mini'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'
import { hasAtMostCharacters, isSendable, Province, UNSENDABLE_TEXT } from './fields.ts'
import { MessageReason } from './messages.ts'
import { ReportReason } from './reports.ts'
import { SanctionDays, SanctionKind, SanctionReason } from './sanctions.ts'
import { VehicleStatus } from './vehicles.ts'
import { hasVisibleCharacter } from './visible-text.ts'

/** Maximum length of a purpose, in characters. */
export const PURPOSE_MAX = 500

const PURPOSE_TEXT = 'Please say what you are opening this for.'

/** What an admin opens a text for that was not written to them (decision moderation-desk). It stands in the audit log. */
const Purpose = z
  .string(PURPOSE_TEXT)
  .check(
    z.trim(),
    z.refine(hasVisibleCharacter, PURPOSE_TEXT),
    z.refine(hasAtMostCharacters(PURPOSE_MAX), `At most ${PURPOSE_MAX} characters.`),
    z.refine(isSendable, UNSENDABLE_TEXT),
  )

// Reported messages, as moderators decide about them (decision moderation-desk).

/** What a moderator can decide about a case. `dismiss` notifies nobody; everything else is a sanction. */
export const CaseAction = z.enum(['dismiss', 'warn', 'limit', 'suspend', 'delete_message'])
export type CaseAction = z.infer<typeof CaseAction>

/** Whether moderators still have to do something about it. */
export const DeskState = z.enum(['open', 'closed'])
export type DeskState = z.infer<typeof DeskState>

/** A case without anything that somebody wrote. */
export const CaseItem = z.object({
  id: z.uuid(),
  /** What was reported: a message, or the reply to one. */
  side: z.enum(['message', 'reply']),
  /** The gravest reason of its reports. */
  reason: ReportReason,
  created_at: z.iso.datetime(),
  /** How many people have reported the subject independently of each other. */
  reporters: z.number(),
  /** Stands before the others: at least three people have. Nothing else follows from it. */
  is_raised: z.boolean(),
  state: DeskState,
  /** The author; outlives their accounts, and is what the page of a person takes. */
  subject_id: z.uuid(),
  /** How it was closed, when and by whom. */
  decision: z.nullable(
    z.object({ action: CaseAction, decided_at: z.iso.datetime(), decided_by: z.nullable(z.string()) }),
  ),
})
export type CaseItem = z.infer<typeof CaseItem>

export const listCases = endpoint({
  method: 'GET',
  path: '/api/admin/reports',
  audience: 'admin',
  status: 200,
  summary:
    'The reported messages, without any text: the open ones, those with three independent reporters first, else oldest first, or the closed ones, newest first.',
  input: z.extend(PageParams, { state: z.optional(DeskState) }),
  output: pageOf(CaseItem),
})

/** A sanction of the subject, whatever case it comes from. */
export const CaseSanction = z.object({
  id: z.uuid(),
  kind: SanctionKind,
  created_at: z.iso.datetime(),
  ends_at: z.nullable(z.iso.datetime()),
  lifted_at: z.nullable(z.iso.datetime()),
  /** As the person read it; null: none was given on the command line. */
  reason: z.nullable(z.string()),
})
export type CaseSanction = z.infer<typeof CaseSanction>

export const OpenedCase = z.extend(CaseItem, {
  /** The message as it was when it was first reported; null when the copy was damaged. */
  evidence: z.nullable(
    z.object({
      content: z.string(),
      reason: z.nullable(MessageReason),
      /** As the sender typed it; null for a note, which keeps none. */
      typed_plate: z.nullable(z.string()),
      inserted_at: z.iso.datetime(),
      reply: z.nullable(z.string()),
      replied_at: z.nullable(z.iso.datetime()),
      /** The vehicle it was written to; null: it was gone. */
      vehicle: z.nullable(
        z.object({
          plate: z.string(),
          province: Province,
          make: z.string(),
          model: z.string(),
          registration_year: z.number(),
          status: VehicleStatus,
        }),
      ),
    }),
  ),
  /** The image that came with it, as a `data:` address. */
  image: z.nullable(z.string()),
  /** What each reporter said, oldest first. */
  reports: z.array(
    z.object({ id: z.uuid(), reason: ReportReason, note: z.nullable(z.string()), created_at: z.iso.datetime() }),
  ),
  /** Why it was decided so; null: it is open. */
  decision_reason: z.nullable(z.string()),
  /** The latest other cases about the subject, newest first. */
  other_cases: z.array(CaseItem),
  /** The latest sanctions of the subject, newest first. */
  sanctions: z.array(CaseSanction),
})
export type OpenedCase = z.infer<typeof OpenedCase>

export const openCase = endpoint({
  method: 'POST',
  path: '/api/admin/reports/:id/open',
  audience: 'admin',
  status: 200,
  summary: 'One case with its texts and image. Who opened it, and what for, is recorded in the audit log.',
  input: z.extend(IdParam, { purpose: Purpose }),
  output: OpenedCase,
})

export const decideCase = endpoint({
  method: 'POST',
  path: '/api/admin/reports/:id/decide',
  audience: 'admin',
  status: 200,
  summary:
    'Decides an open case. A report of somebody else opens it again, also one that came after those that were read. `dismiss` tells nobody; everything else tells the subject by email, with the reason and how to appeal. `suspend` needs a fresh factor.',
  input: z.extend(IdParam, {
    action: CaseAction,
    reason: SanctionReason,
    days: SanctionDays,
    /** How many reports the moderator has read; when it is left out, all there are. */
    reports_read: z.optional(z.number().check(z.int(), z.nonnegative())),
  }),
  output: CaseItem,
})
