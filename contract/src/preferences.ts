import * as z from 'zod/mini'
import { EmptyObject, endpoint } from './endpoint.ts'
import { LOCALES } from './product.ts'

export const Preferences = z.object({
  /** The language of e-mails. */
  locale: z.enum(LOCALES),
  /** Whether new messages are e-mailed. */
  email_messages: z.boolean(),
  /** Whether such an e-mail holds the message's text. */
  email_message_text: z.boolean(),
})
export type Preferences = z.infer<typeof Preferences>

/** What holds for somebody who never chose; the table's defaults say the same. */
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
