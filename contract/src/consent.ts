// chunk: signed-in

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { LOCALES } from './product.ts'

export const Consent = z.object({
  /** The version of the terms in force (`terms.ts`). */
  current_version: z.string(),
  /** What the person agreed to last; null: nothing yet. */
  given: z.nullable(
    z.object({
      version: z.string(),
      /** The language they read. */
      locale: z.enum(LOCALES),
      at: z.iso.datetime(),
    }),
  ),
})
export type Consent = z.infer<typeof Consent>

export const getConsent = endpoint({
  method: 'GET',
  path: '/api/consent',
  audience: 'user',
  summary: 'The version of the terms in force, and the one the person agreed to last.',
  output: Consent,
})

export const giveConsent = endpoint({
  method: 'POST',
  path: '/api/consent',
  audience: 'user',
  summary: 'Agrees to the terms in force, and states to be old enough. The language is that of the request.',
  input: z.object({
    version: z.string().check(z.maxLength(20)),
    /** At least 13 years old; in Quebec 14, or with the consent the law wants there. */
    age_ok: z.literal(true),
  }),
  output: Consent,
})
