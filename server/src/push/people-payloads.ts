import { COMING_ANSWERS } from '#contract/messages.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { ReceivedRow } from '../messages/queries.ts'
import { MINUTE_MS } from '../time.ts'
import type { PushText } from './payloads.ts'

/** What one of the people of a vehicle reads after the message itself (decision vehicle-people). */
const TEXTS: Record<Locale, Record<'coming' | 'answered' | 'nudged', (plate: string) => string> & { open: string }> = {
  en: {
    coming: () => 'Someone is on the way',
    answered: (plate) => `Someone has answered the message for ${plate}`,
    nudged: (plate) => `Someone is still waiting: message for ${plate}`,
    open: `Open ${PRODUCT} to read it.`,
  },
  'fr-CA': {
    coming: () => 'Quelqu’un est en route',
    answered: (plate) => `Quelqu’un a répondu au message pour ${plate}`,
    nudged: (plate) => `Quelqu’un attend toujours : message pour ${plate}`,
    open: `Ouvrez ${PRODUCT} pour le lire.`,
  },
}

/** After this an answer is outdated, for example at the end of quiet hours. */
const ANSWER_IS_NEWS_MS = 15 * MINUTE_MS

/** Announces that somebody else answered, or the sender's reminder; null when either is outdated. */
export function peopleNotification(
  locale: Locale,
  type: 'message_answered' | 'message_nudged',
  { id, plate, reply_answer, replied_at }: ReceivedRow,
): PushText | null {
  const path = localizedPath(paths.messages('received', id), locale)
  const texts = TEXTS[locale]
  if (type === 'message_nudged')
    return replied_at === null ? { title: texts.nudged(plate), body: texts.open, path } : null
  if (replied_at === null || Date.now() - Date.parse(replied_at) > ANSWER_IS_NEWS_MS) return null
  const isComing = reply_answer !== null && COMING_ANSWERS.includes(reply_answer)
  return { title: (isComing ? texts.coming : texts.answered)(plate), body: plate, path }
}
