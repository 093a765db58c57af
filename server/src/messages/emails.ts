import { answerText } from '#contract/answers.ts'
import type { Answer, MessageReason } from '#contract/messages.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import type { Config } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import type { LeasedMail, MailBlock, MailContent, RenderMail } from '../email/mail-content.ts'
import { buildUnsubscribeUrl } from '../preferences/unsubscribe-token.ts'
import { buildDigestMail, MAX_DIGEST_MESSAGES } from './digest-mail.ts'
import { receivedRef, sentRef } from './list-messages.ts'
import { decryptContent, decryptReply } from './message-encryption.ts'
import { findSent, type ReceivedRow, readerOf, receivedColumns, type SentRow } from './queries.ts'

/**
 * Selects whether somebody has blocked or reported what they got in a message, which they have read then: no email brings it
 * again. It is about this message alone. That others of one person were left out too would show that they are of one person
 * (decision blocking-people).
 */
const isTurnedDownBy = (db: Db, readerId: string) => db`(
  exists (select from blocks b where b.user_id = ${readerId} and b.message_id = m.id)
  or exists (
    select from reports r join report_cases c on c.id = r.case_id
    where r.reporter_id = ${readerId} and c.message_id = m.id))`

/**
 * Finds the newest of some messages that this user may read, newest first, with the number of all of them and their plate,
 * which is null when they are about several. Leaves out what somebody else of the vehicle has answered, and what the user has
 * blocked or reported.
 */
export const findReceivedAmong = async (db: Db, ids: string[], readerId: string, limit: number) => {
  const rows = await db<(ReceivedRow & { count: number; one_plate: boolean })[]>`
    select ${receivedColumns(db)}, (count(*) over ())::int as count, min(v.plate) over () = max(v.plate) over () as one_plate
    from messages m
    join vehicles v on v.id = m.vehicle_id
    ${readerOf(db, readerId)}
    left join attachments a on a.id = m.attachment_id
    where m.id = any(${ids}::uuid[]) and (v.user_id = ${readerId} or p.id is not null)
      and (m.replied_at is null or case when p.id is null then not m.reply_by_driver else p.has_replied end)
      and not ${isTurnedDownBy(db, readerId)}
    order by m.id desc
    limit ${limit}`
  const [newest] = rows
  return { rows, count: newest?.count ?? 0, plate: newest?.one_plate ? newest.plate : null }
}

/** Finds a message that this user sent, unless they have blocked or reported the reply to it. */
const findSentUnlessTurnedDown = async (db: Db, id: string, senderId: string): Promise<SentRow | null> => {
  const [row] = await db`select from messages m where m.id = ${id} and not ${isTurnedDownBy(db, senderId)}`
  return row ? findSent(db, id, senderId) : null
}

type MessageMailData = {
  plate: string
  reason: MessageReason | null
  text: string | null
  /** Says what else the message has: none of it is in an email. */
  additions: string[]
  url: string
}

/** The answer and the text of a reply; each is null when there is none, or none to show. A note has no plate. */
type ReplyMailData = { plate: string | null; answer: Answer | null; text: string | null; url: string }

const NEW_MESSAGE_NOTICE: Record<Locale, string> = {
  en: 'Someone sent a message to your licence plate.',
  'fr-CA': 'Vous avez reçu un message destiné à votre plaque.',
}

const REPLY_NOTICE: Record<Locale, string> = {
  en: 'The vehicle’s owner replied to your message.',
  'fr-CA': 'Le propriétaire du véhicule a répondu à votre message.',
}

/** Where the message waits, and where it can be read. Like the subject it shows on locked screens, so the text is not in it. */
const PREHEADERS: Record<Locale, { withText: string; withoutText: string }> = {
  en: {
    withText: 'Open this email to read the message. The sender can’t see who you are.',
    withoutText: `Open ${PRODUCT} to read it and reply. The sender can’t see who you are.`,
  },
  'fr-CA': {
    withText: 'Ouvrez ce courriel pour lire le message. L’expéditeur ne voit pas qui vous êtes.',
    withoutText: `Ouvrez ${PRODUCT} pour le lire et répondre. L’expéditeur ne voit pas qui vous êtes.`,
  },
}

const buildPreheader = (text: string | null, locale: Locale): string =>
  PREHEADERS[locale][text === null ? 'withoutText' : 'withText']

/** "Your lights are on" → "your lights are on": after the plate of a subject. */
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** A subject an owner can act on before opening the email; someone in danger comes before all others. */
function buildSubject(plate: string, reason: MessageReason | null, locale: Locale): string {
  const name = reasonName(reason, locale)
  if (name === null)
    return {
      en: `New message about your vehicle ${plate}`,
      'fr-CA': `Nouveau message au sujet de votre véhicule ${plate}`,
    }[locale]
  const subject = { en: `${plate}: ${lowerFirst(name)}`, 'fr-CA': `${plate} : ${lowerFirst(name)}` }[locale]
  return markUrgent(subject, reason)
}

const markUrgent = (subject: string, reason: MessageReason | null): string =>
  reason === 'someone_inside' ? `URGENT – ${subject}` : subject

/** Says first what it is about, which the heading does unless there is no reason to name. */
const noticeBlocks = (reason: MessageReason | null, locale: Locale): MailBlock[] =>
  reasonName(reason, locale) === null ? [{ kind: 'text', text: NEW_MESSAGE_NOTICE[locale] }] : []

const CALL_911: Record<Locale, string> = {
  en: 'If you can’t get there right now, call 911.',
  'fr-CA': 'Si vous ne pouvez pas y aller tout de suite, appelez le 911.',
}
const dangerBlocks = (reason: MessageReason | null, locale: Locale): MailBlock[] =>
  reason === 'someone_inside' ? [{ kind: 'text', text: CALL_911[locale] }] : []

const MESSAGE_TEXTS: Record<Locale, { button: string; anonymous: string }> = {
  en: {
    button: 'Read and reply',
    anonymous:
      'The sender can’t see who you are, even if you reply. To reply, use the button: replying to this email reaches nobody.',
  },
  'fr-CA': {
    button: 'Lire et répondre',
    anonymous:
      'L’expéditeur ne voit pas qui vous êtes, même si vous répondez. Pour répondre, utilisez le bouton : les réponses à ce courriel ne parviennent à personne.',
  },
}

/** What the first email about a message and its reminder have in common, after they have said what they are. */
function messageBlocks({ reason, text, additions, url }: MessageMailData, locale: Locale): MailBlock[] {
  const { button, anonymous } = MESSAGE_TEXTS[locale]
  return [
    ...dangerBlocks(reason, locale),
    ...quoteBlocks(text),
    ...additions.map((addition) => ({ kind: 'note' as const, text: addition })),
    { kind: 'button', label: button, url },
    { kind: 'note', text: anonymous },
  ]
}

/** 'New message' to the people of a vehicle: the plate, the reason, the text unless they turned that off, and what else came. */
export const MESSAGE_MAILS: Record<Locale, (data: MessageMailData) => MailContent> = {
  en: (data) => ({
    subject: buildSubject(data.plate, data.reason, 'en'),
    preheader: buildPreheader(data.text, 'en'),
    heading: reasonName(data.reason, 'en') ?? 'You have a new message',
    blocks: [{ kind: 'plate', plate: data.plate }, ...noticeBlocks(data.reason, 'en'), ...messageBlocks(data, 'en')],
    reason: `You’re receiving this email because you own or drive the vehicle ${data.plate} on ${PRODUCT}.`,
  }),
  'fr-CA': (data) => ({
    subject: buildSubject(data.plate, data.reason, 'fr-CA'),
    preheader: buildPreheader(data.text, 'fr-CA'),
    heading: reasonName(data.reason, 'fr-CA') ?? 'Vous avez un nouveau message',
    blocks: [
      { kind: 'plate', plate: data.plate },
      ...noticeBlocks(data.reason, 'fr-CA'),
      ...messageBlocks(data, 'fr-CA'),
    ],
    reason: `Vous recevez ce courriel parce que vous possédez ou conduisez le véhicule ${data.plate} sur ${PRODUCT}.`,
  }),
}

/** 'Reply' to the sender of a message. */
export const REPLY_MAILS: Record<Locale, (data: ReplyMailData) => MailContent> = {
  en: ({ plate, answer, text, url }) => ({
    subject: plate === null ? 'Reply to your note on a windshield' : `Reply about plate ${plate}`,
    preheader: answerText(answer, 'en') ?? REPLY_NOTICE.en,
    heading: 'You have a reply',
    blocks: [
      ...(plate === null ? [] : [{ kind: 'plate' as const, plate }]),
      { kind: 'text', text: answerText(answer, 'en') ?? REPLY_NOTICE.en },
      ...quoteBlocks(text),
      { kind: 'button', label: 'Read the reply', url },
      { kind: 'note', text: 'The owner can’t see who you are.' },
    ],
    reason:
      plate === null
        ? `You’re receiving this email because you left a note on a windshield with ${PRODUCT}.`
        : `You’re receiving this email because you sent a message to plate ${plate} on ${PRODUCT}.`,
  }),
  'fr-CA': ({ plate, answer, text, url }) => ({
    subject: plate === null ? 'Réponse à votre mot sur un pare-brise' : `Réponse au sujet de la plaque ${plate}`,
    preheader: answerText(answer, 'fr-CA') ?? REPLY_NOTICE['fr-CA'],
    heading: 'Vous avez une réponse',
    blocks: [
      ...(plate === null ? [] : [{ kind: 'plate' as const, plate }]),
      { kind: 'text', text: answerText(answer, 'fr-CA') ?? REPLY_NOTICE['fr-CA'] },
      ...quoteBlocks(text),
      { kind: 'button', label: 'Lire la réponse', url },
      { kind: 'note', text: 'Le propriétaire ne voit pas qui vous êtes.' },
    ],
    reason:
      plate === null
        ? `Vous recevez ce courriel parce que vous avez laissé un mot sur un pare-brise avec ${PRODUCT}.`
        : `Vous recevez ce courriel parce que vous avez envoyé un message à la plaque ${plate} dans ${PRODUCT}.`,
  }),
}

const quoteBlocks = (text: string | null): MailBlock[] => (text === null ? [] : [{ kind: 'quote', text }])

const messageUrl = ({ PUBLIC_URL }: Config, locale: Locale, messageId?: string): string =>
  PUBLIC_URL + localizedPath(paths.messages('received', messageId), locale)

type Additions = { photo: string; cardForOwner: string; cardForDriver: string }
const ADDITIONS: Record<Locale, Additions> = {
  en: {
    photo: 'The message includes a photo. Log in to see it.',
    cardForOwner: 'The sender left their particulars for you. Log in to see them.',
    cardForDriver: 'The sender left their particulars for the vehicle’s owner.',
  },
  'fr-CA': {
    photo: 'Le message contient une photo. Connectez-vous pour la voir.',
    cardForOwner: 'La personne qui écrit vous a laissé ses renseignements. Connectez-vous pour les voir.',
    cardForDriver: 'La personne qui écrit a laissé ses renseignements au propriétaire du véhicule.',
  },
}

/** Returns what an email may say of a message: its text unless the recipient turned that off. */
function toMailData(
  { keyring, log, config }: AppContext,
  { locale, preferences }: LeasedMail,
  row: ReceivedRow,
): MessageMailData {
  const { plate, reason } = row
  const content = decryptContent({ keyring, log, locale }, receivedRef(row), row)
  const hasCard = content.collision?.kind === 'hit'
  const { photo, cardForOwner, cardForDriver } = ADDITIONS[locale]
  return {
    plate,
    reason,
    text: preferences.email_message_text ? localizedMessageText({ content: content.text, reason }, locale) : null,
    additions: [
      ...(row.image_id === null ? [] : [photo]),
      ...(hasCard ? [row.driver_id === null ? cardForOwner : cardForDriver] : []),
    ],
    url: messageUrl(config, locale, row.id),
  }
}

/**
 * Writes 'New message' to the owner (requirements §7), or a digest of several messages. Drops the email when the owner
 * wants no such emails, or no message is left.
 */
export const renderMessageMail: RenderMail = async (context, mail) => {
  const { db, keyring, config } = context
  const { locale, preferences, recipientId } = mail
  if (!preferences.email_messages) return null
  const ids = [...(mail.olderRefIds ?? []), mail.refId]
  const { rows, count, plate } = await findReceivedAmong(db, ids, recipientId, MAX_DIGEST_MESSAGES)
  const messages = rows.map((row) => toMailData(context, mail, row))
  const [newest] = messages
  if (!newest) return null
  const content =
    count === 1
      ? MESSAGE_MAILS[locale](newest)
      : buildDigestMail({ messages, count, plate, url: messageUrl(config, locale) }, locale)
  return { ...content, unsubscribeUrl: buildUnsubscribeUrl(keyring, config, recipientId) }
}

type NudgeTexts = { subject: string; about: (name: string) => string; heading: string; text: string }

const NUDGE_TEXTS: Record<Locale, (plate: string) => NudgeTexts> = {
  en: (plate) => ({
    subject: `Reminder: a message about your vehicle ${plate}`,
    about: (name) => `Reminder about ${plate}: ${name}`,
    heading: 'Someone is still waiting',
    text: 'The person who messaged you has asked once more. Nobody has answered yet.',
  }),
  'fr-CA': (plate) => ({
    subject: `Rappel : un message au sujet de votre véhicule ${plate}`,
    about: (name) => `Rappel pour ${plate} : ${name}`,
    heading: 'Quelqu’un attend toujours',
    text: 'La personne qui vous a écrit relance une fois. Personne n’a encore répondu.',
  }),
}

/** The reminder has a heading of its own, so the reason, if it has a name, stands in the subject and below the plate. */
function buildNudgeMail(data: MessageMailData, locale: Locale): MailContent {
  const { subject, about, heading, text } = NUDGE_TEXTS[locale](data.plate)
  const name = reasonName(data.reason, locale)
  return {
    ...MESSAGE_MAILS[locale](data),
    subject: name === null ? subject : markUrgent(about(lowerFirst(name)), data.reason),
    preheader: text,
    heading,
    blocks: [
      { kind: 'plate', plate: data.plate },
      ...(name === null ? [] : [{ kind: 'text' as const, text: name }]),
      { kind: 'text', text },
      ...messageBlocks(data, locale),
    ],
  }
}

/**
 * Writes the sender's one reminder to those who were notified of the message (decision vehicle-people). Drops it when the recipient
 * wants no emails about messages, and once there is an answer, or was one that moderators removed.
 */
export const renderNudgeMail: RenderMail = async (context, mail) => {
  const { db, keyring, config } = context
  if (!mail.preferences.email_messages) return null
  const [row] = (await findReceivedAmong(db, [mail.refId], mail.recipientId, 1)).rows
  if (!row || row.replied_at !== null || row.reply_removed) return null
  return {
    ...buildNudgeMail(toMailData(context, mail, row), mail.locale),
    unsubscribeUrl: buildUnsubscribeUrl(keyring, config, mail.recipientId),
  }
}

/** Writes 'Reply' to the sender (requirements §7). Drops the email when the reply is gone, or the sender has blocked or reported it. */
export const renderReplyMail: RenderMail = async ({ db, keyring, log, config }, mail) => {
  const row = await findSentUnlessTurnedDown(db, mail.refId, mail.recipientId)
  if (!row?.reply_encrypted) return null
  const text = mail.preferences.email_message_text
    ? decryptReply({ keyring, log, locale: mail.locale }, sentRef(row), row.reply_encrypted)
    : null
  return REPLY_MAILS[mail.locale]({
    plate: row.plate,
    answer: row.reply_answer,
    text: text || null, // an answer may come without one
    url: config.PUBLIC_URL + localizedPath(paths.messages('sent', row.id), mail.locale),
  })
}
