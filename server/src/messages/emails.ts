import type { MessageReason } from '#contract/messages.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { Block, MailContent, RenderMail } from '../email/render.ts'
import { findReceived, findSent } from './queries.ts'
import { openContent, openReply } from './texts.ts'

/** What the reason button said, in the reader's language. */
const REASONS: Record<Locale, Record<MessageReason, string>> = {
  en: {
    blocked_in: 'Your vehicle is blocking someone in',
    lights_on: 'The lights are on',
    door_open: 'A door, window or trunk is open',
    alarm: 'The alarm is sounding',
    accident: 'A minor accident',
    flat_or_leak: 'A flat tire or a leak',
    towing: 'About to be towed or ticketed',
    someone_inside: 'A child or an animal is inside',
    other: 'Something else',
  },
  'fr-CA': {
    blocked_in: 'Votre véhicule bloque quelqu’un',
    lights_on: 'Les phares sont allumés',
    door_open: 'Une portière, une vitre ou le coffre est ouvert',
    alarm: 'L’alarme sonne',
    accident: 'Un accrochage',
    flat_or_leak: 'Un pneu à plat ou une fuite',
    towing: 'Sur le point d’être remorqué ou de recevoir une contravention',
    someone_inside: 'Un enfant ou un animal est à l’intérieur',
    other: 'Autre chose',
  },
}

type Facts = { plate: string; reason: MessageReason | null; text: string | null; hasImage: boolean; url: string }

const messageMail: Record<Locale, (facts: Facts) => MailContent> = {
  en: ({ plate, reason, text, hasImage, url }) => ({
    subject: `New message about your vehicle ${plate}`,
    preheader: reason ? REASONS.en[reason] : 'Somebody wrote to you through your licence plate.',
    heading: 'You have a new message',
    blocks: [
      { kind: 'plate', plate },
      { kind: 'text', text: reason ? `${REASONS.en[reason]}.` : 'Somebody wrote to you through your licence plate.' },
      ...quoted(text),
      ...(hasImage
        ? [{ kind: 'note' as const, text: 'A photo comes with the message. You can see it after you sign in.' }]
        : []),
      { kind: 'button', label: 'Read and reply', url },
      { kind: 'note', text: 'The sender does not know who you are, and will not learn it from your reply.' },
    ],
    reason: `You get this because the plate ${plate} is registered to your ${PRODUCT} account.`,
  }),
  'fr-CA': ({ plate, reason, text, hasImage, url }) => ({
    subject: `Nouveau message au sujet de votre véhicule ${plate}`,
    preheader: reason ? REASONS['fr-CA'][reason] : 'Quelqu’un vous a écrit grâce à votre plaque d’immatriculation.',
    heading: 'Vous avez un nouveau message',
    blocks: [
      { kind: 'plate', plate },
      {
        kind: 'text',
        text: reason
          ? `${REASONS['fr-CA'][reason]}.`
          : 'Quelqu’un vous a écrit grâce à votre plaque d’immatriculation.',
      },
      ...quoted(text),
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

const replyMail: Record<Locale, (facts: Facts) => MailContent> = {
  en: ({ plate, text, url }) => ({
    subject: `Reply to your message about ${plate}`,
    preheader: 'The owner of the vehicle has answered you.',
    heading: 'You have a reply',
    blocks: [
      { kind: 'plate', plate },
      { kind: 'text', text: 'The owner of the vehicle has answered you.' },
      ...quoted(text),
      { kind: 'button', label: 'Open the conversation', url },
      { kind: 'note', text: 'The owner does not know who you are.' },
    ],
    reason: `You get this because you sent a message to the plate ${plate} with ${PRODUCT}.`,
  }),
  'fr-CA': ({ plate, text, url }) => ({
    subject: `Réponse à votre message au sujet de ${plate}`,
    preheader: 'Le propriétaire du véhicule vous a répondu.',
    heading: 'Vous avez une réponse',
    blocks: [
      { kind: 'plate', plate },
      { kind: 'text', text: 'Le propriétaire du véhicule vous a répondu.' },
      ...quoted(text),
      { kind: 'button', label: 'Ouvrir la conversation', url },
      { kind: 'note', text: 'Le propriétaire ne sait pas qui vous êtes.' },
    ],
    reason: `Vous recevez ce courriel parce que vous avez envoyé un message à la plaque ${plate} avec ${PRODUCT}.`,
  }),
}

const quoted = (text: string | null): Block[] => (text === null ? [] : [{ kind: 'quote', text }])

/** 'New message' to the owner (spec §7). Dropped when the message is gone or the owner wants no such mails. */
export const renderMessageMail: RenderMail = async ({ db, keyring, config }, mail) => {
  if (!mail.preferences.email_messages) return null
  const row = await findReceived(db, mail.refId, mail.recipientId)
  if (!row) return null
  return messageMail[mail.locale]({
    plate: row.plate,
    reason: row.reason,
    text: mail.preferences.email_message_text ? openContent(keyring, row.id, row.content_sealed) : null,
    hasImage: row.image_name !== null,
    url: config.PUBLIC_URL + localizedPath(paths.messages('received', row.id), mail.locale),
  })
}

/** 'Reply' to the sender (spec §7). Dropped when the message is gone. */
export const renderReplyMail: RenderMail = async ({ db, keyring, config }, mail) => {
  const row = await findSent(db, mail.refId, mail.recipientId)
  if (!row?.reply_sealed) return null
  return replyMail[mail.locale]({
    plate: row.plate,
    reason: null,
    text: mail.preferences.email_message_text ? openReply(keyring, row.id, row.reply_sealed) : null,
    hasImage: false,
    url: config.PUBLIC_URL + localizedPath(paths.messages('sent', row.id), mail.locale),
  })
}
