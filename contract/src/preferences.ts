import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { LOCALES, TIME_ZONE } from './product.ts'
import { isTimeZone } from './time-zones.ts'

const QuietTime = z.nullable(z.string('clock').check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'clock')))

export const Preferences = z.object({
  /** The language of emails. */
  locale: z.enum(LOCALES),
  /** Whether new messages are announced by email. */
  email_messages: z.boolean(),
  /** Whether such an email, or one about a reply, includes the text (decision message-emails). */
  email_message_text: z.boolean(),
  /** Whether the emails of messages have links that answer without signing in (decision answer-links). */
  email_answers: z.boolean(),
  /** The quiet hours (decision quiet-hours) in local time; both are null when there are none. */
  quiet_from: QuietTime,
  quiet_until: QuietTime,
  /** The IANA time zone of the quiet hours. */
  time_zone: z.string().check(z.refine(isTimeZone, 'time_zone')),
})
export type Preferences = z.infer<typeof Preferences>

/** The preferences of a user who has not chosen any; the table has the same defaults. */
export const DEFAULT_PREFERENCES: Preferences = {
  locale: LOCALES[0],
  email_messages: true,
  email_message_text: true,
  email_answers: true,
  quiet_from: null,
  quiet_until: null,
  time_zone: TIME_ZONE,
}

export const getPreferences = endpoint({
  method: 'GET',
  path: '/api/preferences',
  audience: 'user',
  summary: 'Language and e-mail choices.',
  output: Preferences,
})

type QuietChange = { quiet_from?: string | null | undefined; quiet_until?: string | null | undefined }

/** Both or neither: a client that knows only one of them does not know the quiet hours. */
const areBothGiven = ({ quiet_from, quiet_until }: QuietChange) =>
  (quiet_from === undefined) === (quiet_until === undefined) && (quiet_from === null) === (quiet_until === null)
const areApart = ({ quiet_from, quiet_until }: QuietChange) =>
  typeof quiet_from !== 'string' || quiet_from !== quiet_until

export const updatePreferences = endpoint({
  method: 'PATCH',
  path: '/api/preferences',
  audience: 'user',
  summary: 'Changes some of the choices. quiet_from and quiet_until are given together, as two times or twice null.',
  input: z
    .partial(Preferences)
    .check(
      z.refine(areBothGiven, { error: 'quiet_half', path: ['quiet_until'] }),
      z.refine(areApart, { error: 'quiet_same', path: ['quiet_until'] }),
    ),
  output: Preferences,
})
