import { answerText, timelyAnswers } from '#contract/answers.ts'
import type { Answer, MessageReason } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import { m } from '#texts/messages.js'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { type LeasedMail, type MailContent, type MailText, type RenderMail, writeMail } from '../email/mail-content.ts'
import { buildUnsubscribeUrl } from '../preferences/unsubscribe-token.ts'
import { makeAnswerLinks } from './answer-links.ts'
import { digestMail, MAX_DIGEST_MESSAGES, type MessageMailData } from './digest-mail.ts'
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
const findReceivedAmong = async (db: Db, ids: string[], readerId: string, limit: number) => {
  const rows = await db<(ReceivedRow & { count: number; one_plate: boolean })[]>`
    select ${receivedColumns(db)}, (count(*) over ())::int as count, min(v.plate) over () = max(v.plate) over () as one_plate
    from messages m
    join vehicles v on v.id = m.vehicle_id
    ${readerOf(db, readerId)}
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

/** "Your lights are on" → "your lights are on": after the plate of a subject. */
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const inputsOf = ({ plate, name }: MessageMailData) => ({ plate, about: lowerFirst(name ?? '') })

/** Someone in danger comes before all others. */
const markUrgent = <Inputs extends object>(
  subject: MailText<Inputs>,
  reason: MessageReason | null,
): MailText<Inputs> => (reason === 'someone_inside' ? [m.mail_message_urgent, subject] : subject)

/** What the first email about a message and its reminder have in common, after they have said what they are. */
const messageBlocks = ({ reason, text, additions, answers, to }: MessageMailData) => [
  reason === 'someone_inside' && m.message_danger,
  text !== null && { quote: text },
  ...additions.map((note) => ({ note })),
  {
    choices: [
      ...answers.map((one) => ({ button: m[`answer_${one.answer}`], to: one.to })),
      { button: m.mail_message_button, to },
    ],
  },
  answers.length > 0 && { note: m.mail_message_links },
  { note: m.mail_message_anonymous },
]

/**
 * 'New message' to the people of a vehicle: the plate, the reason, the text unless they turned that off, and what else came. They can
 * act on the subject before opening the email. It and the preheader show on locked screens, so the text is in neither.
 */
export const messageMail = (data: MessageMailData): MailContent =>
  writeMail(inputsOf(data), {
    subject: data.name === null ? m.mail_message_subject : markUrgent(m.mail_message_about, data.reason),
    preheader: data.text === null ? m.mail_message_preheader_hidden : m.mail_message_preheader,
    heading: data.name ?? m.mail_message_heading,
    blocks: [{ plate: data.plate }, data.name === null && m.mail_message_notice, ...messageBlocks(data)],
    reason: m.mail_message_reason,
  })

/** The reminder has a heading of its own, so the reason, if it has a name, stands in the subject and below the plate. */
const nudgeMail = (data: MessageMailData): MailContent =>
  writeMail(inputsOf(data), {
    subject: data.name === null ? m.mail_nudge_subject : markUrgent(m.mail_nudge_about, data.reason),
    preheader: m.mail_nudge_text,
    heading: m.mail_nudge_heading,
    blocks: [{ plate: data.plate }, data.name, m.mail_nudge_text, ...messageBlocks(data)],
    reason: m.mail_message_reason,
  })

/** The answer and the text of a reply; each is null when there is none, or none to show. A note has no plate. */
type ReplyMailData = { plate: string | null; answer: string | null; text: string | null; to: string }

/** 'Reply' to the sender of a message. */
export const replyMail = ({ plate, answer, text, to }: ReplyMailData): MailContent =>
  writeMail(
    { plate: plate ?? '' },
    {
      subject: plate === null ? m.mail_reply_subject_note : m.mail_reply_subject,
      preheader: answer ?? m.mail_reply_notice,
      heading: m.mail_reply_heading,
      blocks: [
        plate !== null && { plate },
        answer ?? m.mail_reply_notice,
        text !== null && { quote: text },
        { button: m.mail_reply_button, to },
        { note: m.mail_reply_anonymous },
      ],
      reason: plate === null ? m.mail_reply_reason_note : m.mail_reply_reason,
    },
  )

/** The reasons for which nobody waits at the vehicle: to thank is worth more than to say when one comes. */
const FAVOURS: readonly (MessageReason | null)[] = ['lights_on', 'door_open', 'flat_or_leak']

/** Returns the answers that an email about a message has buttons for: those that fit its reason, as far as they make sense now; never none. */
function mailedAnswers(row: ReceivedRow): Answer[] {
  const timely = timelyAnswers(row, Date.now())
  const fitting: Answer[] = FAVOURS.includes(row.reason)
    ? ['coming', 'thanks', 'not_my_car']
    : ['coming', 'in_5', 'not_my_car']
  return fitting.filter((answer) => timely.includes(answer))
}

/**
 * Returns what an email may say of a message: its text unless the recipient turned that off.
 *
 * @param token the secret of the link that answers it; undefined: it has none
 */
export function toMailData(
  { keyring, log }: AppContext,
  { locale, preferences }: { locale: Locale; preferences: Pick<LeasedMail['preferences'], 'email_message_text'> },
  row: ReceivedRow,
  token?: string,
): MessageMailData {
  const { plate, reason } = row
  const content = decryptContent({ keyring, log, locale }, receivedRef(row), row)
  const card = row.driver_id === null ? m.mail_message_card : m.mail_message_card_for_owner
  const isPhotoLinked = token !== undefined && preferences.email_message_text
  const photo = isPhotoLinked ? m.mail_message_photo_linked : m.mail_message_photo
  const additions = [row.image_id !== null && photo, content.collision?.kind === 'hit' && card]
  return {
    plate,
    reason,
    name: reasonName(reason, locale),
    text: preferences.email_message_text ? localizedMessageText({ content: content.text, reason }, locale) : null,
    additions: additions.filter((text) => text !== false).map((text) => text({}, { locale })),
    answers: token ? mailedAnswers(row).map((answer) => ({ answer, to: paths.answerLink(token, answer) })) : [],
    to: token ? paths.answerLink(token) : paths.messages('received', row.id),
  }
}

/** Returns what an email says of messages, with links that answer those that can be, unless the recipient turned that off. */
async function toLinkedMailData(
  context: AppContext,
  mail: LeasedMail,
  rows: ReceivedRow[],
): Promise<MessageMailData[]> {
  const { email_answers, email_message_text } = mail.preferences
  const open = rows.filter((row) => email_answers && row.replied_at === null && !row.reply_removed)
  const ids = open.map(({ id }) => id)
  const tokens = await makeAnswerLinks(context, mail.recipientId, ids, email_message_text)
  return rows.map((row) => toMailData(context, mail, row, tokens.get(row.id)))
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
  const messages = await toLinkedMailData(context, mail, rows)
  const [newest] = messages
  if (!newest) return null
  const content =
    count === 1 ? messageMail(newest) : digestMail({ messages, count, plate, to: paths.messages('received') }, locale)
  return { ...content, unsubscribeUrl: buildUnsubscribeUrl(keyring, config, recipientId) }
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
  const [data] = await toLinkedMailData(context, mail, [row])
  return {
    ...nudgeMail(data!), // as many as rows
    unsubscribeUrl: buildUnsubscribeUrl(keyring, config, mail.recipientId),
  }
}

/** Writes 'Reply' to the sender (requirements §7). Drops the email when the reply is gone, or the sender has blocked or reported it. */
export const renderReplyMail: RenderMail = async ({ db, keyring, log }, mail) => {
  const row = await findSentUnlessTurnedDown(db, mail.refId, mail.recipientId)
  if (!row?.reply_encrypted) return null
  const text = mail.preferences.email_message_text
    ? decryptReply({ keyring, log, locale: mail.locale }, sentRef(row), row.reply_encrypted)
    : null
  return replyMail({
    plate: row.plate,
    answer: answerText(row.reply_answer, mail.locale),
    text: text || null, // an answer may come without one
    to: paths.messages('sent', row.id),
  })
}
