import type { WitnessState } from '#contract/collisions.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { witnessFor } from '../collisions/details.ts'
import { findCollision } from '../collisions/queries.ts'
import type { MailContent, RenderMail } from '../email/mail-content.ts'
import { decryptContent } from './message-encryption.ts'

type MailData = { plate: string; url: string }

/** To a witness: the owner asks. */
const ASKED_MAILS: Record<Locale, (data: MailData) => MailContent> = {
  en: ({ plate, url }) => ({
    subject: `The owner of ${plate} asks for your contact`,
    preheader: 'You offered to be a witness. You decide.',
    heading: 'The owner asks for your contact',
    blocks: [
      { kind: 'plate', plate },
      {
        kind: 'text',
        text: 'You wrote that you saw the collision, and offered to be a witness. The owner would now like to reach you.',
      },
      { kind: 'text', text: 'You are still anonymous. Nothing is given out unless you say yes.' },
      { kind: 'button', label: 'Answer', url },
    ],
    reason: `You’re receiving this email because you offered to be a witness in a message to the plate ${plate} with ${PRODUCT}.`,
  }),
  'fr-CA': ({ plate, url }) => ({
    subject: `Le propriétaire du véhicule ${plate} demande vos coordonnées`,
    preheader: 'Vous avez proposé de témoigner. C’est vous qui décidez.',
    heading: 'Le propriétaire demande vos coordonnées',
    blocks: [
      { kind: 'plate', plate },
      {
        kind: 'text',
        text: 'Vous avez écrit que vous aviez vu la collision et proposé de témoigner. Le propriétaire aimerait maintenant vous joindre.',
      },
      { kind: 'text', text: 'Vous êtes toujours anonyme. Rien n’est transmis sans votre accord.' },
      { kind: 'button', label: 'Répondre', url },
    ],
    reason: `Vous recevez ce courriel parce que vous avez proposé de témoigner dans un message à la plaque ${plate} avec ${PRODUCT}.`,
  }),
}

type Answer = Extract<WitnessState, 'released' | 'declined' | 'withdrawn'>

/** What the owner reads of the answer. The contact itself is never in an email. */
const ANSWERS: Record<Locale, Record<Answer, { subject: (plate: string) => string; heading: string; text: string }>> = {
  en: {
    released: {
      subject: (plate) => `The witness gave you a contact – ${plate}`,
      heading: 'The witness gave you a contact',
      text: 'Log in to read it. Please use it for this collision only.',
    },
    declined: {
      subject: (plate) => `The witness declined – ${plate}`,
      heading: 'The witness declined',
      text: 'The witness does not want to give a contact, and stays anonymous.',
    },
    withdrawn: {
      subject: (plate) => `The witness withdrew the offer – ${plate}`,
      heading: 'The witness withdrew the offer',
      text: 'The witness does not want to give a contact, and stays anonymous.',
    },
  },
  'fr-CA': {
    released: {
      subject: (plate) => `Le témoin vous a donné ses coordonnées – ${plate}`,
      heading: 'Le témoin vous a donné ses coordonnées',
      text: 'Connectez-vous pour les lire. Ne les utilisez que pour cette collision.',
    },
    declined: {
      subject: (plate) => `Le témoin a refusé – ${plate}`,
      heading: 'Le témoin a refusé',
      text: 'Le témoin ne souhaite pas donner ses coordonnées et reste anonyme.',
    },
    withdrawn: {
      subject: (plate) => `Le témoin a retiré son offre – ${plate}`,
      heading: 'Le témoin a retiré son offre',
      text: 'Le témoin ne souhaite pas donner ses coordonnées et reste anonyme.',
    },
  },
}

const READ_BUTTON: Record<Locale, string> = { en: 'Open the message', 'fr-CA': 'Ouvrir le message' }
const OWNER_REASON: Record<Locale, (plate: string) => string> = {
  en: (plate) =>
    `You’re receiving this email because you asked the witness of a message to your plate ${plate} on ${PRODUCT}.`,
  'fr-CA': (plate) =>
    `Vous recevez ce courriel parce que vous avez fait une demande au témoin d’un message à votre plaque ${plate} sur ${PRODUCT}.`,
}

/** Writes 'The owner asks' to the witness. Drops the email when the message is gone, or the witness has answered already. */
export const renderWitnessAsked: RenderMail = async ({ db, keyring, log, config }, { refId, recipientId, locale }) => {
  const row = await findCollision(db, refId, recipientId)
  if (row?.view !== 'sent') return null
  const ref = { id: refId, vehicleId: row.addressed_to }
  const { collision } = decryptContent({ keyring, log, locale }, ref, row)
  if (collision?.witness !== 'asked') return null
  const url = config.PUBLIC_URL + localizedPath(paths.messages('sent', refId), locale)
  return ASKED_MAILS[locale]({ plate: row.plate, url })
}

/** Writes the answer of the witness to the owner. Drops the email when the message is gone. */
export const renderWitnessAnswered: RenderMail = async (
  { db, keyring, log, config },
  { refId, recipientId, locale },
) => {
  const row = await findCollision(db, refId, recipientId)
  if (row?.view !== 'received') return null
  const ref = { id: refId, vehicleId: row.addressed_to }
  const { collision } = decryptContent({ keyring, log, locale }, ref, row)
  const witness = collision && witnessFor('received', collision)
  if (witness !== 'released' && witness !== 'declined' && witness !== 'withdrawn') return null
  const { subject, heading, text } = ANSWERS[locale][witness]
  return {
    subject: subject(row.plate),
    preheader: text,
    heading,
    blocks: [
      { kind: 'plate', plate: row.plate },
      { kind: 'text', text },
      {
        kind: 'button',
        label: READ_BUTTON[locale],
        url: config.PUBLIC_URL + localizedPath(paths.messages('received', refId), locale),
      },
    ],
    reason: OWNER_REASON[locale](row.plate),
  }
}
