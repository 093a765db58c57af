import type { NotificationData } from '#contract/notifications.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { PushPayload } from '#contract/push.ts'

/** The visible part of a push, on a screen that others may see too. */
type PushText = Pick<PushPayload, 'title' | 'body' | 'url'>

type Texts = {
  message: { title: (plate: string) => string; hiddenText: string }
  reply: { title: (plate: string) => string; hiddenText: string }
  /** By the type of the notification. */
  vehicleTitles: Record<string, (plate: string) => string>
  vehicleBody: string
  summary: { title: (count: number) => string; body: string }
  test: { title: string; body: string }
}

const TEXTS: Record<Locale, Texts> = {
  en: {
    message: { title: (plate) => `New message for ${plate}`, hiddenText: `Open ${PRODUCT} to read it.` },
    reply: {
      title: (plate) => `Reply to your message about ${plate}`,
      hiddenText: 'The owner of the vehicle has answered you.',
    },
    vehicleTitles: {
      vehicle_approved: (plate) => `Your vehicle (${plate}) was approved`,
      vehicle_rejected: (plate) => `Your vehicle (${plate}) was rejected`,
      vehicle_deleted: (plate) => `Your vehicle (${plate}) was deleted`,
    },
    vehicleBody: `Open ${PRODUCT} to see more.`,
    summary: { title: (count) => `${count} new notifications`, body: `Open ${PRODUCT} to read them.` },
    test: { title: 'This device is ready', body: 'New messages will show up like this.' },
  },
  'fr-CA': {
    message: { title: (plate) => `Nouveau message pour ${plate}`, hiddenText: `Ouvrez ${PRODUCT} pour le lire.` },
    reply: {
      title: (plate) => `Réponse à votre message au sujet de ${plate}`,
      hiddenText: 'Le propriétaire du véhicule vous a répondu.',
    },
    vehicleTitles: {
      vehicle_approved: (plate) => `Votre véhicule (${plate}) a été approuvé`,
      vehicle_rejected: (plate) => `Votre véhicule (${plate}) a été refusé`,
      vehicle_deleted: (plate) => `Votre véhicule (${plate}) a été supprimé`,
    },
    vehicleBody: `Ouvrez ${PRODUCT} pour en savoir plus.`,
    summary: { title: (count) => `${count} nouvelles notifications`, body: `Ouvrez ${PRODUCT} pour les lire.` },
    test: { title: 'Cet appareil est prêt', body: 'Les nouveaux messages s’afficheront ainsi.' },
  },
}

/** Keeps a push far below the 4096 bytes every service takes (RFC 8030 §7.2). */
const MAX_TEXT_LENGTH = 300

/** Returns a text as one line of at most 300 characters. */
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

/** Announces a new message. `reason` and `text` are in the reader's language, and null when there is none to show. */
export const messageNotification = (locale: Locale, { plate, reason, text, url }: MessagePushData): PushText => ({
  title: TEXTS[locale].message.title(plate),
  body: [reason, text && toSingleLine(text)].filter(Boolean).join('\n') || TEXTS[locale].message.hiddenText,
  url,
})

type ReplyPushData = { plate: string; answer: string | null; text: string | null; url: string }

/** Announces a reply. `answer` and `text` are in the reader's language, and null or empty when there is none to show. */
export const replyNotification = (locale: Locale, { plate, answer, text, url }: ReplyPushData): PushText => ({
  title: TEXTS[locale].reply.title(plate),
  body: [answer, text && toSingleLine(text)].filter(Boolean).join('\n') || TEXTS[locale].reply.hiddenText,
  url,
})

/** Announces what happened to a user's own vehicle, as the list of notifications words it; null for any other type. */
export function vehicleNotification(
  locale: Locale,
  type: string,
  { plate, vehicle_id }: NotificationData,
): PushText | null {
  const { vehicleTitles, vehicleBody } = TEXTS[locale]
  const title = vehicleTitles[type]
  if (!title || plate === undefined) return null
  return { title: title(plate), body: vehicleBody, url: localizedPath(paths.vehicles(vehicle_id), locale) }
}

/** Replaces several pushes by one. */
export const summaryNotification = (locale: Locale, count: number): PushText => ({
  title: TEXTS[locale].summary.title(count),
  body: TEXTS[locale].summary.body,
  url: localizedPath(paths.notifications(), locale),
})

export const testNotification = (locale: Locale): PushText => ({
  ...TEXTS[locale].test,
  url: localizedPath(paths.notifications(), locale),
})
