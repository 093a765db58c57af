import { type Locale, PRODUCT } from '#contract/product.ts'
import type { MailBlock } from '../email/mail-content.ts'
import { DOCUMENTS_BUSINESS_DAYS } from './business-days.ts'
import type { Settlement } from './state-machine.ts'

/**
 * What an email about a dispute refers to. All of it is the recipient's own. `due` is the deadline in full, with weekday, hour
 * and zone; `dueDay` the day in few characters, for a subject.
 */
export type DisputeFacts = { plate: string; due: string; dueDay: string; supportEmail: string }

/** The text of one email; `emails.ts` arranges it in blocks. */
export type DisputeMailText = {
  subject: string
  preheader: string
  heading: string
  /** Before the plate is shown. */
  what: string[]
  /** Asks for the documents. */
  ask: string[]
  documents: string[]
  /** How to send them: first the way that is safest. */
  how: string
  /** What to cover on the documents, and what happens to them. */
  privacy: string[]
  /** What happens next, and without a reply. */
  next: string[]
  button: string
  reason: string
}

/** Names the deadline and the period, as requirements §4 want: 'Within 5 business days, by Friday, November 27, 2026 (…)'. */
const WITHIN: Record<Locale, (due: string) => string> = {
  en: (due) => `within ${DOCUMENTS_BUSINESS_DAYS} business days, by ${due},`,
  'fr-CA': (due) => `dans un délai de ${DOCUMENTS_BUSINESS_DAYS} jours ouvrables, soit d’ici le ${due},`,
}

const DOCUMENTS: Record<Locale, string[]> = {
  en: ['your driver’s licence', 'the vehicle’s registration (ownership permit)'],
  'fr-CA': ['votre permis de conduire', 'le certificat d’immatriculation du véhicule'],
}

/** The upload first, which is sealed and known to have arrived; email second. */
const HOW: Record<Locale, (supportEmail: string) => string> = {
  en: (supportEmail) =>
    `The best way is the button below: your documents are sealed, and only the admin who decides can open them. You can also reply to this email with them attached, or write to ${supportEmail}. Can’t or don’t want to send your licence? Reply, and we’ll suggest another way.`,
  'fr-CA': (supportEmail) =>
    `Le mieux est d’utiliser le bouton ci-dessous : vos documents sont scellés, et seule la personne de l’équipe qui tranche peut les ouvrir. Vous pouvez aussi les joindre à une réponse à ce courriel, ou écrire à ${supportEmail}. Vous ne pouvez ou ne voulez pas envoyer votre permis? Répondez : nous vous proposerons un autre moyen.`,
}

const PRIVACY: Record<Locale, string[]> = {
  en: [
    'Please cover everything we don’t need: photo, signature, date of birth, licence and reference numbers, and all but the last 6 characters of the vehicle identification number (VIN). Your name, address, plate and expiry dates must stay readable.',
    'We use the documents only to make this decision. We delete them once it’s made, and those sent with the button no later than 30 days after the due date. We never tell the other person who you are.',
  ],
  'fr-CA': [
    'Veuillez masquer tout ce dont nous n’avons pas besoin : photo, signature, date de naissance, numéros de permis et de référence, et le numéro d’identification du véhicule (NIV), sauf ses 6 derniers caractères. Votre nom, votre adresse, la plaque et les dates d’expiration doivent rester lisibles.',
    'Ces documents servent uniquement à cette décision. Nous les supprimons dès qu’elle est prise et, pour ceux envoyés par le bouton, au plus tard 30 jours après l’échéance. L’autre personne ne saura jamais qui vous êtes.',
  ],
}

/** What can be lost, which an owner must know before they decide to do nothing. */
const LOSS: Record<Locale, string> = {
  en: 'If only the other person proves it’s theirs, your registration and the messages it received are deleted.',
  'fr-CA':
    'Si seule l’autre personne prouve que la plaque est la sienne, votre enregistrement et les messages reçus sont supprimés.',
}
/** A verified plate is not paused again; an admin may still approve a later owner (decision plate-disputes). */
const IF_THEY_MATCH: Record<Locale, string> = {
  en: 'If your documents match, your plate is verified, and new claims no longer pause it.',
  'fr-CA': 'Si vos documents concordent, votre plaque est vérifiée et une nouvelle revendication ne la suspend plus.',
}
const SOLD: Record<Locale, string> = {
  en: 'Sold the vehicle? Remove it from your vehicles; that’s all.',
  'fr-CA': 'Véhicule vendu? Retirez-le de vos véhicules, c’est tout.',
}
const BUTTON: Record<Locale, string> = { en: 'Send your documents', 'fr-CA': 'Envoyer vos documents' }
export const REGISTERED: Record<Locale, string> = {
  en: 'You’re receiving this email because this plate is registered in your account.',
  'fr-CA': 'Vous recevez ce courriel parce que cette plaque est enregistrée dans votre compte.',
}

/** What the emails of all sides share. */
const shared = (locale: Locale, supportEmail: string) => ({
  documents: DOCUMENTS[locale],
  how: HOW[locale](supportEmail),
  privacy: PRIVACY[locale],
  button: BUTTON[locale],
})

/** The email to the person who registered a plate that somebody else had (requirements §4). */
export const challengerText: Record<Locale, (facts: DisputeFacts) => DisputeMailText> = {
  en: ({ plate, due, dueDay, supportEmail }) => ({
    ...shared('en', supportEmail),
    subject: `One more step by ${dueDay}: show that plate ${plate} is yours`,
    preheader: 'Send two documents, and we’ll find out who the plate belongs to.',
    heading: 'One more step for your plate',
    what: [
      'This plate is already in another account. Until we know who it belongs to, you don’t receive messages for it.',
    ],
    ask: [`Please send us, ${WITHIN.en(due)} a photo or scan of:`],
    next: [
      `If your documents match, the plate is yours on ${PRODUCT}.`,
      'If we haven’t recorded anything from you by then, your registration is rejected automatically; you can ask a person to look again.',
    ],
    reason: 'You’re receiving this email because you registered this plate.',
  }),
  'fr-CA': ({ plate, due, dueDay, supportEmail }) => ({
    ...shared('fr-CA', supportEmail),
    subject: `Encore une étape d’ici le ${dueDay} : montrez que la plaque ${plate} est à vous`,
    preheader: 'Envoyez deux documents, et nous établirons à qui appartient la plaque.',
    heading: 'Encore une étape pour votre plaque',
    what: [
      'Cette plaque figure déjà dans un autre compte. Tant que nous ne savons pas à qui elle appartient, vous ne recevez pas de messages pour cette plaque.',
    ],
    ask: [`Veuillez nous envoyer, ${WITHIN['fr-CA'](due)} une photo ou une copie numérisée des documents suivants :`],
    next: [
      `Si vos documents concordent, la plaque est à vous dans ${PRODUCT}.`,
      'Si nous n’avons rien reçu d’ici là, votre enregistrement est refusé automatiquement; vous pourrez demander qu’une personne revoie la décision.',
    ],
    reason: 'Vous recevez ce courriel parce que vous avez enregistré cette plaque.',
  }),
}

/** The email to the person whose plate somebody else registered, paused until it is settled (requirements §4). */
export const incumbentText: Record<Locale, (facts: DisputeFacts) => DisputeMailText> = {
  en: ({ plate, due, dueDay, supportEmail }) => ({
    ...shared('en', supportEmail),
    subject: `Action needed by ${dueDay}: someone else registered plate ${plate}`,
    preheader: 'Messages to this plate are on hold. Send two documents if it’s yours.',
    heading: 'Someone else says this plate is theirs',
    what: [
      `Another person registered this plate on ${PRODUCT}. Until we know who it belongs to, it can’t receive messages. Nothing changes for the rest of your account.`,
    ],
    ask: [`Is it yours? Please send us, ${WITHIN.en(due)} a photo or scan of:`],
    next: [
      IF_THEY_MATCH.en,
      'If the other person sends nothing by then and nobody else claims the plate, it can receive messages again.',
      LOSS.en,
      SOLD.en,
    ],
    reason: REGISTERED.en,
  }),
  'fr-CA': ({ plate, due, dueDay, supportEmail }) => ({
    ...shared('fr-CA', supportEmail),
    subject: `À faire d’ici le ${dueDay} : une autre personne a enregistré la plaque ${plate}`,
    preheader: 'Les messages à cette plaque sont suspendus. Envoyez deux documents si elle est à vous.',
    heading: 'Une autre personne affirme que cette plaque est la sienne',
    what: [
      `Une autre personne a enregistré cette plaque dans ${PRODUCT}. Tant que nous ne savons pas à qui elle appartient, elle ne peut pas recevoir de messages. Rien ne change pour le reste de votre compte.`,
    ],
    ask: [
      `Elle est à vous? Veuillez nous envoyer, ${WITHIN['fr-CA'](due)} une photo ou une copie numérisée des documents suivants :`,
    ],
    next: [
      IF_THEY_MATCH['fr-CA'],
      'Si l’autre personne n’envoie rien d’ici là et que personne d’autre ne revendique la plaque, elle pourra de nouveau recevoir des messages.',
      LOSS['fr-CA'],
      SOLD['fr-CA'],
    ],
    reason: REGISTERED['fr-CA'],
  }),
}

/** The email to a verified owner, whose plate stays live meanwhile (decision plate-disputes). */
export const verifiedOwnerText: Record<Locale, (facts: DisputeFacts) => DisputeMailText> = {
  en: ({ plate, due, supportEmail }) => ({
    ...shared('en', supportEmail),
    subject: `Is plate ${plate} still yours?`,
    preheader: 'Someone else says it’s theirs. Your plate stays verified and keeps receiving messages.',
    heading: 'Is this vehicle still yours?',
    what: [
      'Someone else says this plate is theirs, perhaps after a sale. Your plate stays verified and keeps receiving messages while we look into it.',
    ],
    ask: [`If the vehicle is still yours, please send us, ${WITHIN.en(due)} a photo or scan of:`],
    next: [
      'If the other person sends nothing by then, their request ends and nothing changes for you.',
      LOSS.en,
      SOLD.en,
    ],
    reason: REGISTERED.en,
  }),
  'fr-CA': ({ plate, due, supportEmail }) => ({
    ...shared('fr-CA', supportEmail),
    subject: `La plaque ${plate} est-elle toujours à vous?`,
    preheader:
      'Une autre personne affirme qu’elle est la sienne. Votre plaque demeure vérifiée et reçoit encore des messages.',
    heading: 'Ce véhicule est-il toujours à vous?',
    what: [
      'Une autre personne affirme que cette plaque est la sienne, peut-être après une vente. Votre plaque demeure vérifiée et continue de recevoir des messages pendant que nous examinons la demande.',
    ],
    ask: [
      `Si le véhicule est toujours à vous, veuillez nous envoyer, ${WITHIN['fr-CA'](due)} une photo ou une copie numérisée des documents suivants :`,
    ],
    next: [
      'Si l’autre personne n’envoie rien d’ici là, sa demande prend fin et rien ne change pour vous.',
      LOSS['fr-CA'],
      SOLD['fr-CA'],
    ],
    reason: REGISTERED['fr-CA'],
  }),
}

/** The email to an owner whose plate a challenge does not pause (decision plate-disputes). */
export const liveOwnerText: Record<Locale, (facts: DisputeFacts) => DisputeMailText> = {
  en: ({ plate, due, supportEmail }) => ({
    ...shared('en', supportEmail),
    subject: `Someone else says plate ${plate} is theirs`,
    preheader: 'Your plate isn’t paused and keeps receiving messages.',
    heading: 'Someone else says this plate is theirs',
    what: [
      `Another person registered this plate on ${PRODUCT}. Your plate isn’t paused: it keeps receiving messages while we look into it.`,
    ],
    ask: [`To settle it, please send us, ${WITHIN.en(due)} a photo or scan of:`],
    next: [
      IF_THEY_MATCH.en,
      'If the other person sends nothing by then, their request ends and nothing changes for you.',
      LOSS.en,
      SOLD.en,
    ],
    reason: REGISTERED.en,
  }),
  'fr-CA': ({ plate, due, supportEmail }) => ({
    ...shared('fr-CA', supportEmail),
    subject: `Une autre personne affirme que la plaque ${plate} est la sienne`,
    preheader: 'Votre plaque n’est pas suspendue et continue de recevoir des messages.',
    heading: 'Une autre personne affirme que cette plaque est la sienne',
    what: [
      `Une autre personne a enregistré cette plaque dans ${PRODUCT}. Votre plaque n’est pas suspendue : elle continue de recevoir des messages pendant que nous examinons la demande.`,
    ],
    ask: [
      `Pour régler la question, veuillez nous envoyer, ${WITHIN['fr-CA'](due)} une photo ou une copie numérisée des documents suivants :`,
    ],
    next: [
      IF_THEY_MATCH['fr-CA'],
      'Si l’autre personne n’envoie rien d’ici là, sa demande prend fin et rien ne change pour vous.',
      LOSS['fr-CA'],
      SOLD['fr-CA'],
    ],
    reason: REGISTERED['fr-CA'],
  }),
}

/** The text of the email to the owner who keeps or gets a plate. Never says who the other side was, nor why it ended. */
type SettlementText = { subject: string; heading: string; what: string; preheader?: string }

/** Also the preheader where there is none. */
export const OTHER_REGISTRATION_ENDED: Record<Locale, string> = {
  en: 'The other registration of this plate has ended.',
  'fr-CA': 'L’autre enregistrement de cette plaque a pris fin.',
}
export const settlementTexts: Record<Locale, Record<Settlement, (plate: string) => SettlementText>> = {
  en: {
    restored: (plate) => ({
      subject: `Plate ${plate} can receive messages again`,
      heading: 'Your plate can receive messages again',
      what: `${OTHER_REGISTRATION_ENDED.en} Your plate is no longer paused, and there’s nothing else you need to do.`,
    }),
    stayed: (plate) => ({
      subject: `You keep plate ${plate}`,
      heading: 'You keep your plate',
      what: `${OTHER_REGISTRATION_ENDED.en} Your plate stays verified, and there’s nothing else you need to do.`,
    }),
    undisturbed: (plate) => ({
      subject: `You keep plate ${plate}`,
      heading: 'You keep your plate',
      what: `${OTHER_REGISTRATION_ENDED.en} Your plate keeps receiving messages as before, and there’s nothing else you need to do.`,
    }),
    resumed: (plate) => ({
      subject: `Plate ${plate} can receive messages again`,
      preheader: 'It’s no longer paused, although another person still claims it.',
      heading: 'Your plate can receive messages again',
      what: 'Another registration of this plate has ended, and your plate is no longer paused. Someone else still claims the plate: we’re looking into it while your plate keeps receiving messages.',
    }),
    gained: (plate) => ({
      subject: `Your registration of plate ${plate} is now active`,
      heading: 'Your registration is now active',
      what: `${OTHER_REGISTRATION_ENDED.en} Your registration is active: your plate can receive messages. You don’t have to send any more documents.`,
    }),
    started: (plate) => ({
      subject: `Your registration of plate ${plate} is now active`,
      preheader: 'It can receive messages, although another person still claims it.',
      heading: 'Your registration is now active',
      what: 'Another registration of this plate has ended, and yours is active: your plate can receive messages. Someone else still claims the plate: we’re looking into it while your plate keeps receiving messages.',
    }),
  },
  'fr-CA': {
    restored: (plate) => ({
      subject: `La plaque ${plate} peut de nouveau recevoir des messages`,
      heading: 'Votre plaque peut de nouveau recevoir des messages',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre plaque n’est plus suspendue, et vous n’avez rien d’autre à faire.`,
    }),
    stayed: (plate) => ({
      subject: `Vous gardez la plaque ${plate}`,
      heading: 'Vous gardez votre plaque',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre plaque demeure vérifiée, et vous n’avez rien d’autre à faire.`,
    }),
    undisturbed: (plate) => ({
      subject: `Vous gardez la plaque ${plate}`,
      heading: 'Vous gardez votre plaque',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre plaque continue de recevoir des messages comme avant, et vous n’avez rien d’autre à faire.`,
    }),
    resumed: (plate) => ({
      subject: `La plaque ${plate} peut de nouveau recevoir des messages`,
      preheader: 'Elle n’est plus suspendue, même si une autre personne la revendique encore.',
      heading: 'Votre plaque peut de nouveau recevoir des messages',
      what: 'Un autre enregistrement de cette plaque a pris fin et la vôtre n’est plus suspendue. Une autre personne la revendique encore : nous examinons sa demande pendant que votre plaque continue de recevoir des messages.',
    }),
    gained: (plate) => ({
      subject: `Votre enregistrement de la plaque ${plate} est actif`,
      heading: 'Votre enregistrement est actif',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre enregistrement est actif : votre plaque peut recevoir des messages. Vous n’avez plus de documents à envoyer.`,
    }),
    started: (plate) => ({
      subject: `Votre enregistrement de la plaque ${plate} est actif`,
      preheader: 'Elle peut recevoir des messages, même si une autre personne la revendique encore.',
      heading: 'Votre enregistrement est actif',
      what: 'Un autre enregistrement de cette plaque a pris fin et le vôtre est actif : votre plaque peut recevoir des messages. Une autre personne la revendique encore : nous examinons sa demande pendant que votre plaque continue de recevoir des messages.',
    }),
  },
}

const TEXTS: Record<Locale, string> = {
  en: 'You paused this vehicle yourself. Until you resume it in your vehicles, nobody can reach you about it.',
  'fr-CA':
    'Vous avez vous-même mis ce véhicule en pause. Tant que vous ne le réactivez pas dans vos véhicules, personne ne peut vous joindre à son sujet.',
}

/** Reminds an owner that a plate which works again still reaches nobody (decision quiet-hours); nothing for any other vehicle. */
export const pausedNote = ({ paused }: { paused: boolean }, locale: Locale): MailBlock[] =>
  paused ? [{ kind: 'text', text: TEXTS[locale] }] : []
