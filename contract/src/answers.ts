// chunk: signed-in (the inbox of admins knows of it too, and must not load the chunk of admins for it)

import { ANSWERS, type Answer, COMING_ANSWERS, type ReceivedMessage, URGENT_REASONS } from './messages.ts'
import type { Locale } from './product.ts'
import { HOUR_MS } from './time.ts'

/** The text of each answer, in the sender's language. */
const TEXTS: Record<Locale, Record<Answer, string>> = {
  en: {
    coming: 'The owner is coming now.',
    in_5: 'The owner will be there in 5 minutes.',
    in_15: 'The owner will be there in 15 minutes.',
    not_my_car: 'The owner says it’s not this car. Check the plate and the province.',
    thanks: 'The owner says thank you.',
  },
  'fr-CA': {
    coming: 'Le propriétaire arrive tout de suite.',
    in_5: 'Le propriétaire sera là dans 5 minutes.',
    in_15: 'Le propriétaire sera là dans 15 minutes.',
    not_my_car: 'Le propriétaire dit que ce n’est pas cette voiture. Vérifiez la plaque et la province.',
    thanks: 'Le propriétaire vous remercie.',
  },
}

/** Returns the text of an answer; null for none. */
export const answerText = (answer: Answer | null, locale: Locale): string | null =>
  answer === null ? null : TEXTS[locale][answer]

/** Returns the answers that make sense at a time: that somebody comes for an hour after the message, and for as long as it takes in danger. */
export function timelyAnswers(
  message: Pick<ReceivedMessage, 'inserted_at' | 'reason'>,
  now: number,
): readonly Answer[] {
  const isUrgent = message.reason !== null && URGENT_REASONS.includes(message.reason)
  if (isUrgent || Date.parse(message.inserted_at) > now - HOUR_MS) return ANSWERS
  return ANSWERS.filter((answer) => !COMING_ANSWERS.includes(answer))
}
