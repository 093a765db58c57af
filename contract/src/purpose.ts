import * as z from 'zod/mini'
import { hasAtMostCharacters, isSendable, UNSENDABLE_TEXT } from './fields.ts'
import { hasVisibleCharacter } from './visible-text.ts'

/** Maximum length of a purpose, in characters. */
export const PURPOSE_MAX = 500

const PURPOSE_TEXT = 'Please say what you are opening this for.'

/** What an admin opens a text for that was not written to them (decision moderation-desk). It stands in the audit log. */
export const Purpose = z
  .string(PURPOSE_TEXT)
  .check(
    z.trim(),
    z.refine(hasVisibleCharacter, PURPOSE_TEXT),
    z.refine(hasAtMostCharacters(PURPOSE_MAX), `At most ${PURPOSE_MAX} characters.`),
    z.refine(isSendable, UNSENDABLE_TEXT),
  )
