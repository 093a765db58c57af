import * as z from 'zod/mini'
import { EmptyObject, endpoint } from './endpoint.ts'
import { LOCALES } from './product.ts'

export const Preferences = z.object({
  /** The language of emails. */
  locale: z.enum(LOCALES),
  /** Whether new messages are announced by email. */
  email_messages: z.boolean(),
  /** Whether such an email includes the message's text. */
  email_message_text: z.boolean(),
})
export type Preferences = z.infer<typeof Preferences>

/** The preferences of a user who has not chosen any; the table has the same defaults. */
export const DEFAULT_PREFERENCES: Preferences = { locale: LOCALES[0], email_messages: true, email_message_text: true }

export const getPreferences = endpoint({
  method: 'GET',
  path: '/api/preferences',
  audience: 'user',
  status: 200,
  summary: 'Language and e-mail choices.',
  input: EmptyObject,
  output: Preferences,
})

export const updatePreferences = endpoint({
  method: 'PATCH',
  path: '/api/preferences',
  audience: 'user',
  status: 200,
  summary: 'Changes some of the choices.',
  input: z.partial(Preferences),
  output: Preferences,
})
