// chunk: guest

import type texts from '#guest/en.json'
import type { Answer, MessageReason } from './messages.ts'
import { refusedCharacter } from './plate-errors.ts'

/** The reasons that are a whole sentence: somebody without an account can write nothing of their own (decision windshield-tag). */
export const GUEST_REASONS = [
  'blocked_in',
  'lights_on',
  'door_open',
  'alarm',
  'accident',
  'flat_or_leak',
  'towing',
  'someone_inside',
] as const satisfies readonly MessageReason[]
export type GuestReason = (typeof GUEST_REASONS)[number]

/**
 * The texts of the pages for people without an account, one file for each language (`locales/guest/pa.json`): reasons, buttons and
 * the few sentences around them. A sentence that is missing in one of them fails the build (scripts/check-texts.mjs).
 */
export type GuestTexts = typeof texts & { reasons: Record<GuestReason, string>; answers: Record<Answer, string> }

/** Returns what is wrong with the end of a plate, and which character cannot be on one. */
export function plateEndError({ tag }: GuestTexts, typed: string): string {
  const refused = refusedCharacter(typed)
  return refused === null
    ? tag.plate_missing
    : `${tag.plate_missing} ${tag.plate_character.replace('{character}', () => refused)}`
}
