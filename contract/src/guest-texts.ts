// chunk: guest

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
 * The texts of the pages for people without an account, one file for each language (`guest-texts-pa.ts`): reasons, buttons and
 * the few sentences around them. A sentence that is missing in one of them fails the build (scripts/check-texts.mjs).
 */
export type GuestTexts = {
  common: {
    language: string
    try_again: string
    /** There was no response. */
    network: string
    /** Something else went wrong. */
    failed: string
    too_many: string
    anonymous: string
    /** While a proof of work is computed. */
    checking: string
    /** When it is asked for, and there are no scripts. */
    scripts_needed: string
  }
  tag: {
    title: string
    intro: string
    digits: string
    digits_missing: string
    plate: string
    plate_hint: string
    plate_missing: string
    /** With {character}. */
    plate_character: string
    reason: string
    reason_missing: string
    emergency: string
    chips: string
    waiting_here: string
    no_hurry: string
    /** With {time}. */
    until: string
    send: string
    sending: string
    /** The same for every tag that takes no message, whatever the reason. */
    refused: string
  }
  reasons: Record<GuestReason, string>
  /** What the owner answers with one tap. */
  answers: Record<Answer, string>
  receipt: {
    title: string
    left: string
    /** With {time}. */
    left_at: string
    waiting: string
    keep_open: string
    check: string
    answered: string
    /** With {time}. */
    answered_at: string
    tell_me: string
    telling: string
    blocked: string
    gone: string
    push_body: string
    register_title: string
    register_text: string
    your_plate: string
    register: string
  }
}

/** Returns what is wrong with the end of a plate, and which character cannot be on one. */
export function plateEndError({ tag }: GuestTexts, typed: string): string {
  const refused = refusedCharacter(typed)
  return refused === null
    ? tag.plate_missing
    : `${tag.plate_missing} ${tag.plate_character.replace('{character}', () => refused)}`
}
