import type { NotificationData } from '#contract/notifications.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { PushPayload } from '#contract/push.ts'

/** What a person is told, on screens others may see too. */
type PushText = Pick<PushPayload, 'title' | 'body' | 'url'>

/** So much of a text is shown; the whole stays far below the 4096 bytes every service takes (RFC 8030 §7.2). */
const MAX_TEXT_LENGTH = 300
const HIDDEN_TEXT_BODY: Record<Locale, string> = {
  en: `Open ${PRODUCT} to read it.`,
  'fr-CA': `Ouvrez ${PRODUCT} pour le lire.`,
}

/** A text as one line of at most 300 characters. */
export function toSingleLine(text: string): string {
  const letters = [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()]
  return letters.length > MAX_TEXT_LENGTH
    ? `${letters
        .slice(0, MAX_TEXT_LENGTH - 1)
        .join('')
        .trimEnd()}…`
    : letters.join('')
}

type MessagePushData = { plate: string; reason: string | null; text: string | null; url: string }

/** A new message; `reason` and `text` in the reader's language, null where there is none or it is not to be shown. */
export const messageNotification = (locale: Locale, { plate, reason, text, url }: MessagePushData): PushText => ({
  title: locale === 'en' ? `New message for ${plate}` : `Nouveau message pour ${plate}`,
  body: [reason, text && toSingleLine(text)].filter(Boolean).join('\n') || HIDDEN_TEXT_BODY[locale],
  url,
})

export const replyNotification = (locale: Locale, { plate, text, url }: Omit<MessagePushData, 'reason'>): PushText => ({
  title: locale === 'en' ? `Reply to your message about ${plate}` : `Réponse à votre message au sujet de ${plate}`,
  body:
    text !== null
      ? toSingleLine(text)
      : locale === 'en'
        ? 'The owner of the vehicle has answered you.'
        : 'Le propriétaire du véhicule vous a répondu.',
  url,
})

const VEHICLE_TITLES: Record<string, Record<Locale, (plate: string) => string>> = {
  vehicle_approved: {
    en: (plate) => `Your vehicle (${plate}) was approved`,
    'fr-CA': (plate) => `Votre véhicule (${plate}) a été approuvé`,
  },
  vehicle_rejected: {
    en: (plate) => `Your vehicle (${plate}) was rejected`,
    'fr-CA': (plate) => `Votre véhicule (${plate}) a été refusé`,
  },
  vehicle_deleted: {
    en: (plate) => `Your vehicle (${plate}) was deleted`,
    'fr-CA': (plate) => `Votre véhicule (${plate}) a été supprimé`,
  },
}

/** News about an own vehicle, in the words of the list of notifications; null for a type that is none. */
export function vehicleNotification(
  locale: Locale,
  type: string,
  { plate, vehicle_id }: NotificationData,
): PushText | null {
  const title = VEHICLE_TITLES[type]?.[locale]
  if (!title || plate === undefined) return null
  return {
    title: title(plate),
    body: locale === 'en' ? `Open ${PRODUCT} to see more.` : `Ouvrez ${PRODUCT} pour en savoir plus.`,
    url: localizedPath(paths.vehicles(vehicle_id), locale),
  }
}

/** One push in place of many. */
export const summaryNotification = (locale: Locale, count: number): PushText => ({
  title: locale === 'en' ? `${count} new notifications` : `${count} nouvelles notifications`,
  body: locale === 'en' ? `Open ${PRODUCT} to read them.` : `Ouvrez ${PRODUCT} pour les lire.`,
  url: localizedPath(paths.notifications(), locale),
})

export const testNotification = (locale: Locale): PushText => ({
  title: locale === 'en' ? 'This device is ready' : 'Cet appareil est prêt',
  body: locale === 'en' ? 'New messages will show up like this.' : 'Les nouveaux messages s’afficheront ainsi.',
  url: localizedPath(paths.notifications(), locale),
})
