import type { NotificationData, NotificationType } from '#contract/notifications.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import type { PushPayload } from '#contract/push.ts'
import { m } from '#texts/messages.js'
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

/** What is about a plate, without the text of a message. No push says what a witness answered. */
const PLATE_TITLES = {
  vehicle_approved: m.notification_vehicle_approved,
  vehicle_rejected: m.notification_vehicle_rejected,
  vehicle_deleted: m.notification_vehicle_deleted,
  driver_joined: m.notification_driver_joined,
  plate_disputed: m.notification_plate_disputed,
  witness_asked: m.notification_witness_asked,
  witness_answered: m.notification_witness_answered,
} satisfies Partial<Record<NotificationType, unknown>>

/** What one of the people of a vehicle reads after the message itself (decision vehicle-people). */
const PEOPLE_TITLES = {
  owner_coming: m.message_owner_coming,
  driver_coming: m.message_driver_coming,
  owner_answered: m.notification_owner_answered,
  driver_answered: m.notification_driver_answered,
  nudged: m.notification_message_nudged,
}

type WrittenText = { plate: string | null; lead: string | null; text: string | null; path: string }

/**
 * Announces a message or a reply, which keeps a push far below the 4096 bytes every service takes (RFC 8030 §7.2). `lead` (a reason,
 * an answer) and `text` are in the reader's language, and null or empty when there is none to show. Of a note the plate is null.
 */
export function textNotification(
  locale: Locale,
  kind: 'message' | 'reply',
  { plate, lead, text, path }: WrittenText,
): PushText {
  const [title, hidden] =
    kind === 'message'
      ? [m.notification_message_received, m.push_message_hidden]
      : [plate === null ? m.mail_reply_subject_note : m.mail_reply_subject, m.mail_reply_notice]
  return {
    title: title({ plate: plate ?? '' }, { locale }),
    body: [lead, text && toSingleLine(text)].filter(Boolean).join('\n') || hidden({}, { locale }),
    path,
  }
}

export type PeopleNews = keyof typeof PEOPLE_TITLES

/** Announces what somebody else of the vehicle answered, or the sender's reminder. */
export const peopleNotification = (
  locale: Locale,
  what: PeopleNews,
  { plate, path }: { plate: string; path: string },
): PushText => ({
  title: PEOPLE_TITLES[what]({ plate }, { locale }),
  body: what === 'nudged' ? m.push_message_hidden({}, { locale }) : plate,
  path,
})

type PlateNotice = keyof typeof PLATE_TITLES

const isPlateNotice = (type: string): type is PlateNotice => Object.hasOwn(PLATE_TITLES, type)

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
  const pages: Partial<Record<PlateNotice, string>> = {
    witness_asked: paths.messages('sent', message_id),
    witness_answered: paths.messages('received', message_id),
    ...(vehicle_id && { plate_disputed: paths.vehicleDispute(vehicle_id) }),
  }
  const path = localizedPath(pages[type] ?? paths.vehicles(vehicle_id), locale)
  return { title: PLATE_TITLES[type]({ plate }, { locale }), body: m.push_plate_body({}, { locale }), path }
}

/** Replaces several pushes by one. */
export const summaryNotification = (locale: Locale, count: number): PushText => ({
  title: m.push_summary_title({ count }, { locale }),
  body: m.push_summary_body({}, { locale }),
  path: localizedPath(paths.notifications(), locale),
})

export const testNotification = (locale: Locale): PushText => ({
  title: m.push_test_title({}, { locale }),
  body: m.push_test_body({}, { locale }),
  path: localizedPath(paths.notifications(), locale),
})

/** Confirms an answer that was given in a notification. */
export const answeredNotification = (locale: Locale) => ({
  title: m.push_sent_title({}, { locale }),
  body: m.push_sent_body({}, { locale }),
})

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
            title: m.answer_coming({}, { locale }),
            navigate: PUBLIC_URL + localizedPath(paths.answerMessage(answerable.messageId, 'coming'), locale),
          },
          { action: 'open', title: m.push_action_open({}, { locale }), navigate },
        ],
        data: { answer_token: answerable.token },
      }),
      app_badge: unread,
    },
    app_badge: unread,
  }
}
