import { answerText } from '#contract/answers.ts'
import type { Answer, MessageReason } from '#contract/messages.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import type { MailBlock, MailContent, RenderMail } from '../email/mail-content.ts'
import { buildUnsubscribeUrl } from '../preferences/unsubscribe-token.ts'
import { buildDigestMail, MAX_DIGEST_MESSAGES } from './digest-mail.ts'
import { receivedRef, sentRef } from './list-messages.ts'
import { decryptContent, decryptReply } from './message-encryption.ts'
import { findReceivedAmong, findSent } from './queries.ts'

type MessageMailData = {
  plate: string
  reason: MessageReason | null
  text: string | null
  hasImage: boolean
  url: string
}

/** The answer and the text of a reply; each is null when there is none, or none to show. */
type ReplyMailData = { plate: string; answer: Answer | null; text: string | null; url: string }

const NEW_MESSAGE_NOTICE: Record<Locale, string> = {
  en: 'Somebody wrote to you through your licence plate.',
  'fr-CA': 'Quelqu’un vous a écrit grâce à votre plaque d’immatriculation.',
}

const REPLY_NOTICE: Record<Locale, string> = {
  en: 'The owner of the vehicle has answered you.',
  'fr-CA': 'Le propriétaire du véhicule vous a répondu.',
}

function reasonSentence(reason: MessageReason | null, locale: Locale): string {
  const name = reasonName(reason, locale)
  return name === null ? NEW_MESSAGE_NOTICE[locale] : `${name}.`
}

/** 'New message' to the owner of a plate. Without a text it only says that there is a message. */
export const MESSAGE_MAILS: Record<Locale, (data: MessageMailData) => MailContent> = {
  en: ({ plate, reason, text, hasImage, url }) => ({
    subject: `New message about your vehicle ${plate}`,
    preheader: reasonName(reason, 'en') ?? NEW_MESSAGE_NOTICE.en,
    heading: 'You have a new message',
    blocks: [
      { kind: 'plate', plate },
      { kind: 'text', text: reasonSentence(reason, 'en') },
      ...quoteBlocks(text),
      ...(hasImage
        ? [{ kind: 'note' as const, text: 'A photo comes with the message. You can see it after you sign in.' }]
        : []),
      { kind: 'button', label: 'Read and reply', url },
      { kind: 'note', text: 'The sender does not know who you are, and will not learn it from your reply.' },
    ],
    reason: `You get this email because the plate ${plate} is registered to your ${PRODUCT} account.`,
  }),
  'fr-CA': ({ plate, reason, text, hasImage, url }) => ({
    subject: `Nouveau message au sujet de votre véhicule ${plate}`,
    preheader: reasonName(reason, 'fr-CA') ?? NEW_MESSAGE_NOTICE['fr-CA'],
    heading: 'Vous avez un nouveau message',
    blocks: [
      { kind: 'plate', plate },
      { kind: 'text', text: reasonSentence(reason, 'fr-CA') },
      ...quoteBlocks(text),
      ...(hasImage
        ? [{ kind: 'note' as const, text: 'Une photo accompagne le message. Connectez-vous pour la voir.' }]
        : []),
      { kind: 'button', label: 'Lire et répondre', url },
      {
        kind: 'note',
        text: 'La personne qui écrit ne sait pas qui vous êtes, et votre réponse ne le lui apprendra pas.',
      },
    ],
    reason: `Vous recevez ce courriel parce que la plaque ${plate} est enregistrée dans votre compte ${PRODUCT}.`,
  }),
}

/** 'Reply' to the sender of a message. */
export const REPLY_MAILS: Record<Locale, (data: ReplyMailData) => MailContent> = {
  en: ({ plate, answer, text, url }) => ({
    subject: `Reply to your message about ${plate}`,
    preheader: answerText(answer, 'en') ?? REPLY_NOTICE.en,
    heading: 'You have a reply',
    blocks: [
      { kind: 'plate', plate },
      { kind: 'text', text: answerText(answer, 'en') ?? REPLY_NOTICE.en },
      ...quoteBlocks(text),
      { kind: 'button', label: 'Open the conversation', url },
      { kind: 'note', text: 'The owner does not know who you are.' },
    ],
    reason: `You get this email because you sent a message to the plate ${plate} with ${PRODUCT}.`,
  }),
  'fr-CA': ({ plate, answer, text, url }) => ({
    subject: `Réponse à votre message au sujet de ${plate}`,
    preheader: answerText(answer, 'fr-CA') ?? REPLY_NOTICE['fr-CA'],
    heading: 'Vous avez une réponse',
    blocks: [
      { kind: 'plate', plate },
      { kind: 'text', text: answerText(answer, 'fr-CA') ?? REPLY_NOTICE['fr-CA'] },
      ...quoteBlocks(text),
      { kind: 'button', label: 'Ouvrir la conversation', url },
      { kind: 'note', text: 'Le propriétaire ne sait pas qui vous êtes.' },
    ],
    reason: `Vous recevez ce courriel parce que vous avez envoyé un message à la plaque ${plate} avec ${PRODUCT}.`,
  }),
}

const quoteBlocks = (text: string | null): MailBlock[] => (text === null ? [] : [{ kind: 'quote', text }])

/**
 * Writes 'New message' to the owner (requirements §7), or a digest of several messages. Drops the email when the owner
 * wants no such emails, or no message is left.
 */
export const renderMessageMail: RenderMail = async ({ db, keyring, log, config }, mail) => {
  const { locale, preferences, recipientId } = mail
  if (!preferences.email_messages) return null
  const ids = [...(mail.olderRefIds ?? []), mail.refId]
  const { rows, count, plate } = await findReceivedAmong(db, ids, recipientId, MAX_DIGEST_MESSAGES)
  const link = (messageId?: string) => config.PUBLIC_URL + localizedPath(paths.messages('received', messageId), locale)
  const messages = rows.map((row) => ({
    plate: row.plate,
    reason: row.reason,
    text: preferences.email_message_text
      ? localizedMessageText(
          {
            content: decryptContent({ keyring, log, locale }, receivedRef(row), row.content_encrypted),
            reason: row.reason,
          },
          locale,
        )
      : null,
    hasImage: row.image_id !== null,
    url: link(row.id),
  }))
  const [newest] = messages
  if (!newest) return null
  const content =
    count === 1 ? MESSAGE_MAILS[locale](newest) : buildDigestMail({ messages, count, plate, url: link() }, locale)
  return { ...content, unsubscribeUrl: buildUnsubscribeUrl(keyring, config, recipientId) }
}

/** Writes 'Reply' to the sender (requirements §7). Drops the email when the message is gone. */
export const renderReplyMail: RenderMail = async ({ db, keyring, log, config }, mail) => {
  const row = await findSent(db, mail.refId, mail.recipientId)
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
