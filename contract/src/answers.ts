// chunk: signed-in (the inbox of admins knows of it too, and must not load the chunk of admins for it)

import { m } from '#texts/messages.js'
import { ANSWERS, type Answer, COMING_ANSWERS, type ReceivedMessage, URGENT_REASONS } from './messages.ts'
import type { Locale, Text } from './product.ts'
import { HOUR_MS, MINUTE_MS } from './time.ts'

const TEXTS: Record<Answer, Text> = {
  coming: m.answer_of_owner_coming,
  in_5: m.answer_of_owner_in_5,
  in_15: m.answer_of_owner_in_15,
  not_my_car: m.answer_of_owner_not_my_car,
  thanks: m.answer_of_owner_thanks,
}

/** Returns the text of an answer, in the sender's language; null for none. */
export const answerText = (answer: Answer | null, locale: Locale): string | null =>
  answer === null ? null : TEXTS[answer]({}, { locale })

/** Within how many minutes somebody comes. */
export const COMING_WITHIN: Partial<Record<Answer, number>> = { in_5: 5, in_15: 15 }

/** Returns the time by which somebody comes, in milliseconds since 1970; null when an answer names none. */
export function comingBy({ answer, replied_at }: { answer: Answer | null; replied_at: string | null }): number | null {
  const minutes = answer && COMING_WITHIN[answer]
  return minutes && replied_at !== null ? Date.parse(replied_at) + minutes * MINUTE_MS : null
}

/** Returns the answers that make sense at a time: that somebody comes for an hour after the message, and for as long as it takes in danger. */
export function timelyAnswers(
  message: Pick<ReceivedMessage, 'inserted_at' | 'reason'>,
  now: number,
): readonly Answer[] {
  const isUrgent = message.reason !== null && URGENT_REASONS.includes(message.reason)
  if (isUrgent || Date.parse(message.inserted_at) > now - HOUR_MS) return ANSWERS
  return ANSWERS.filter((answer) => !COMING_ANSWERS.includes(answer))
}
