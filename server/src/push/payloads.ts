import type { NotificationData, NotificationType } from '#contract/notifications.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { PushPayload } from '#contract/push.ts'
import type { Config } from '../config.ts'

const MAX_TEXT_LENGTH = 300

/** Returns a text as one line of at most 300 characters. */
function toSingleLine(text: string): string {
  const letters = [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()]
  return letters.length > MAX_TEXT_LENGTH
    ? `${letters
        .slice(0, MAX_TEXT_LENGTH - 1)
        .join('')
        .trimEnd()}…`
    : letters.join('')
}

/** The visible part of a push, on a screen that others may see too, and the page it opens, without the origin. */
export type PushText = { title: string; body: string; path: string }

/** Of a note the plate is null. */
const EN = {
  message: { title: (plate: string | null) => `New message for ${plate}`, hiddenText: `Open ${PRODUCT} to read it.` },
  reply: {
    title: (plate: string | null) =>
      plate === null ? 'Reply to your note on a windshield' : `Reply about plate ${plate}`,
    hiddenText: 'The vehicle’s owner replied to your message.',
  },
  /** What one of the people of a vehicle reads after the message itself (decision vehicle-people). */
  people: {
    coming: (_: string) => 'Someone is on the way',
    answered: (plate: string) => `Someone has answered the message for ${plate}`,
    nudged: (plate: string) => `Someone is still waiting: message for ${plate}`,
  },
  /** What is about a plate, without the text of a message. No push says what a witness answered. */
  plateTitles: {
    vehicle_approved: (plate: string) => `Your vehicle (${plate}) was approved`,
    vehicle_rejected: (plate: string) => `Your vehicle (${plate}) was rejected`,
    vehicle_deleted: (plate: string) => `Your vehicle (${plate}) was deleted`,
    driver_joined: (plate: string) => `Someone joined ${plate} as a driver`,
    plate_disputed: (plate: string) => `Someone else registered plate ${plate}`,
    witness_asked: (plate: string) => `The owner of ${plate} asks for your contact`,
    witness_answered: (plate: string) => `The witness has answered (${plate})`,
  } satisfies Partial<Record<NotificationType, (plate: string) => string>>,
  plateBody: `Open ${PRODUCT} to find out more.`,
  summary: { title: (count: number) => `${count} new notifications`, body: `Open ${PRODUCT} to read them.` },
  test: { title: 'This device is ready', body: 'New messages will show up like this.' },
  actions: { coming: 'I’m coming now', open: 'Open' },
  answered: { title: 'Answer sent', body: 'The sender reads that you are coming now.' },
}

const FR: typeof EN = {
  message: { title: (plate) => `Nouveau message pour ${plate}`, hiddenText: `Ouvrez ${PRODUCT} pour le lire.` },
  reply: {
    title: (plate) =>
      plate === null ? 'Réponse à votre mot sur un pare-brise' : `Réponse au sujet de la plaque ${plate}`,
    hiddenText: 'Le propriétaire du véhicule a répondu à votre message.',
  },
  people: {
    coming: () => 'Quelqu’un est en route',
    answered: (plate) => `Quelqu’un a répondu au message pour ${plate}`,
    nudged: (plate) => `Quelqu’un attend toujours : message pour ${plate}`,
  },
  plateTitles: {
    vehicle_approved: (plate) => `Votre véhicule (${plate}) a été approuvé`,
    vehicle_rejected: (plate) => `Votre véhicule (${plate}) a été refusé`,
    vehicle_deleted: (plate) => `Votre véhicule (${plate}) a été supprimé`,
    driver_joined: (plate) => `Quelqu’un conduit maintenant aussi le véhicule ${plate}`,
    plate_disputed: (plate) => `Une autre personne a enregistré la plaque ${plate}`,
    witness_asked: (plate) => `Le propriétaire du véhicule ${plate} demande vos coordonnées`,
    witness_answered: (plate) => `Le témoin a répondu (${plate})`,
  },
  plateBody: `Ouvrez ${PRODUCT} pour en savoir plus.`,
  summary: { title: (count) => `${count} nouvelles notifications`, body: `Ouvrez ${PRODUCT} pour les lire.` },
  test: { title: 'Cet appareil est prêt', body: 'Les nouveaux messages s’afficheront ainsi.' },
  actions: { coming: 'J’arrive', open: 'Ouvrir' },
  answered: { title: 'Réponse envoyée', body: 'L’autre personne lit que vous arrivez tout de suite.' },
}

const TEXTS: Record<Locale, typeof EN> = { en: EN, 'fr-CA': FR }

type WrittenText = { plate: string | null; lead: string | null; text: string | null; path: string }

/**
 * Announces a message or a reply, which keeps a push far below the 4096 bytes every service takes (RFC 8030 §7.2). `lead` (a reason,
 * an answer) and `text` are in the reader's language, and null or empty when there is none to show.
 */
export const textNotification = (
  locale: Locale,
  kind: 'message' | 'reply',
  { plate, lead, text, path }: WrittenText,
): PushText => ({
  title: TEXTS[locale][kind].title(plate),
  body: [lead, text && toSingleLine(text)].filter(Boolean).join('\n') || TEXTS[locale][kind].hiddenText,
  path,
})

/** Announces what somebody else of the vehicle answered, or the sender's reminder. */
export const peopleNotification = (
  locale: Locale,
  what: 'coming' | 'answered' | 'nudged',
  { plate, path }: { plate: string; path: string },
): PushText => ({
  title: TEXTS[locale].people[what](plate),
  body: what === 'nudged' ? TEXTS[locale].message.hiddenText : plate,
  path,
})

type PlateNotice = keyof (typeof EN)['plateTitles']

const isPlateNotice = (type: string): type is PlateNotice => Object.hasOwn(EN.plateTitles, type)

/**
 * Announces what happened to a user's own vehicle, as the list of notifications words it, or a step with a witness (decision
 * collision-messages); null for any other type.
 */
export function plateNotification(
  locale: Locale,
  type: string,
  { plate, vehicle_id, message_id }: NotificationData,
): PushText | null {
  if (!isPlateNotice(type) || plate === undefined) return null
  const { plateTitles, plateBody } = TEXTS[locale]
  const pages: Partial<Record<PlateNotice, string>> = {
    witness_asked: paths.messages('sent', message_id),
    witness_answered: paths.messages('received', message_id),
    ...(vehicle_id && { plate_disputed: paths.vehicleDispute(vehicle_id) }),
  }
  const path = localizedPath(pages[type] ?? paths.vehicles(vehicle_id), locale)
  return { title: plateTitles[type](plate), body: plateBody, path }
}

/** Replaces several pushes by one. */
export const summaryNotification = (locale: Locale, count: number): PushText => ({
  title: TEXTS[locale].summary.title(count),
  body: TEXTS[locale].summary.body,
  path: localizedPath(paths.notifications(), locale),
})

export const testNotification = (locale: Locale): PushText => ({
  ...TEXTS[locale].test,
  path: localizedPath(paths.notifications(), locale),
})

/** Confirms an answer that was given in a notification. */
export const answeredNotification = (locale: Locale) => TEXTS[locale].answered

type DeclarativePush = PushText & {
  tag: string
  locale: Locale
  /** The number on the app's icon: the unread notifications of the person. */
  unread: number
  /** Set for a message that can still be answered: its id, and what answers it without opening a page. */
  answerable?: { messageId: string; token: string } | undefined
}

/**
 * Writes the payload of a push (decision device-notifications). All its addresses are absolute, because Safari knows no page they could be
 * relative to, and the number for the icon stands in two places: where the standard has it, and where Safari reads it.
 */
export function declarativePush(
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  { title, body, path, tag, locale, unread, answerable }: DeclarativePush,
): PushPayload {
  const navigate = PUBLIC_URL + path
  const { coming, open } = TEXTS[locale].actions
  return {
    web_push: 8030,
    notification: {
      title,
      body,
      lang: locale,
      dir: 'ltr',
      navigate,
      tag,
      icon: `${PUBLIC_URL}/icon-192.png`,
      ...(answerable && {
        actions: [
          {
            action: 'coming',
            title: coming,
            navigate: PUBLIC_URL + localizedPath(paths.answerComing(answerable.messageId), locale),
          },
          { action: 'open', title: open, navigate },
        ],
        data: { answer_token: answerable.token },
      }),
      app_badge: unread,
    },
    app_badge: unread,
  }
}
