// chunk: signed-in (the inbox of admins knows of them too, and others must not load the chunk of admins for them)

import * as z from 'zod/mini'
import { endpoint, IdParam } from './endpoint.ts'
import { checkText } from './fields.ts'
import { hasVisibleCharacter } from './visible-text.ts'

/** Why somebody reports a message, the gravest first. */
export const REPORT_REASONS = ['threat', 'sexual', 'harassment', 'false_alarm', 'spam', 'other'] as const
export const ReportReason = z.enum(REPORT_REASONS)
export type ReportReason = z.infer<typeof ReportReason>

/** Maximum length of a note to the moderators, in characters. */
export const REPORT_NOTE_MAX = 1_000

export const NewReport = z.object({
  reason: ReportReason,
  note: z.optional(
    z.string().check(
      ...checkText(REPORT_NOTE_MAX),
      // a note nobody can see is none
      z.overwrite((note) => (hasVisibleCharacter(note) ? note : '')),
    ),
  ),
})
export type NewReport = z.infer<typeof NewReport>

export const reportMessage = endpoint({
  method: 'POST',
  path: '/api/messages/:id/report',
  audience: 'user',
  status: 201,
  summary: 'Reports a received message, or the reply to a sent one, to the moderators, with a copy of it. Once each.',
  input: z.extend(IdParam, NewReport.shape),
  output: z.object({ id: z.uuid(), created_at: z.iso.datetime() }),
})
