import { type Locale, PRODUCT } from '#contract/product.ts'
import type { MailBlock } from '../email/mail-content.ts'
import { DOCUMENTS_BUSINESS_DAYS } from './business-days.ts'
import type { Settlement } from './state-machine.ts'

/** What the emails about disputes share, and what each of them says beside it. */
type DisputeTexts = typeof EN & {
  sides: Record<DisputeSide, (facts: DisputeFacts) => SideText>
  settlements: Record<Settlement, (plate: string) => SettlementText>
}

/**
 * Whom an email is for: who registered a plate that somebody else had, or its owner, whose plate is paused until it is settled
 * (requirements §4), or stays live because it is verified or for another reason (decision plate-disputes).
 */
export type DisputeSide = 'challenger' | 'incumbent' | 'verifiedOwner' | 'liveOwner'

/**
 * What an email about a dispute refers to. All of it is the recipient's own. `due` is the deadline in full, with weekday, hour
 * and zone; `dueDay` the day in few characters, for a subject.
 */
type DisputeFacts = { plate: string; due: string; dueDay: string }

type SideText = {
  subject: string
  preheader: string
  heading: string
  /** Before the plate is shown. */
  what: string
  /** Asks for the documents. */
  ask: string
  /** What happens next, and without a reply. */
  next: string[]
  reason: string
}

/** The text of the email to the owner who keeps or gets a plate. Never says who the other side was, nor why it ended. */
type SettlementText = { subject: string; heading: string; what: string; preheader?: string }

const EN = {
  /** Names the deadline and the period, as requirements §4 want. */
  within: (due: string) => `within ${DOCUMENTS_BUSINESS_DAYS} business days, by ${due},`,
  documents: ['your driver’s licence', 'the vehicle’s registration (ownership permit)'],
  /** The upload first, which is sealed and known to have arrived; email second. */
  how: (supportEmail: string) =>
    `The best way is the button below: your documents are sealed, and only the admin who decides can open them. You can also reply to this email with them attached, or write to ${supportEmail}. Can’t or don’t want to send your licence? Reply, and we’ll suggest another way.`,
  /** What to cover on the documents, and what happens to them. */
  privacy: [
    'Please cover everything we don’t need: photo, signature, date of birth, licence and reference numbers, and all but the last 6 characters of the vehicle identification number (VIN). Your name, address, plate and expiry dates must stay readable.',
    'We use the documents only to make this decision. We delete them once it’s made, and those sent with the button no later than 30 days after the due date. We never tell the other person who you are.',
  ],
  button: 'Send your documents',
  vehiclesButton: 'See my vehicles',
  registered: 'You’re receiving this email because this plate is registered in your account.',
  /** A verified plate is not paused again; an admin may still approve a later owner (decision plate-disputes). */
  ifTheyMatch: 'If your documents match, your plate is verified, and new claims no longer pause it.',
  nothingChanges: 'If the other person sends nothing by then, their request ends and nothing changes for you.',
  /** What can be lost, which an owner must know before they decide to do nothing. */
  lossAndSale: [
    'If only the other person proves it’s theirs, your registration and the messages it received are deleted.',
    'Sold the vehicle? Remove it from your vehicles; that’s all.',
  ],
  /** Also the preheader where there is none. */
  otherEnded: 'The other registration of this plate has ended.',
  paused: 'You paused this vehicle yourself. Until you resume it in your vehicles, nobody can reach you about it.',
}

const FR: typeof EN = {
  within: (due) => `dans un délai de ${DOCUMENTS_BUSINESS_DAYS} jours ouvrables, soit d’ici le ${due},`,
  documents: ['votre permis de conduire', 'le certificat d’immatriculation du véhicule'],
  how: (supportEmail) =>
    `Le mieux est d’utiliser le bouton ci-dessous : vos documents sont scellés, et seule la personne de l’équipe qui tranche peut les ouvrir. Vous pouvez aussi les joindre à une réponse à ce courriel, ou écrire à ${supportEmail}. Vous ne pouvez ou ne voulez pas envoyer votre permis? Répondez : nous vous proposerons un autre moyen.`,
  privacy: [
    'Veuillez masquer tout ce dont nous n’avons pas besoin : photo, signature, date de naissance, numéros de permis et de référence, et le numéro d’identification du véhicule (NIV), sauf ses 6 derniers caractères. Votre nom, votre adresse, la plaque et les dates d’expiration doivent rester lisibles.',
    'Ces documents servent uniquement à cette décision. Nous les supprimons dès qu’elle est prise et, pour ceux envoyés par le bouton, au plus tard 30 jours après l’échéance. L’autre personne ne saura jamais qui vous êtes.',
  ],
  button: 'Envoyer vos documents',
  vehiclesButton: 'Voir mes véhicules',
  registered: 'Vous recevez ce courriel parce que cette plaque est enregistrée dans votre compte.',
  ifTheyMatch:
    'Si vos documents concordent, votre plaque est vérifiée et une nouvelle revendication ne la suspend plus.',
  nothingChanges: 'Si l’autre personne n’envoie rien d’ici là, sa demande prend fin et rien ne change pour vous.',
  lossAndSale: [
    'Si seule l’autre personne prouve que la plaque est la sienne, votre enregistrement et les messages reçus sont supprimés.',
    'Véhicule vendu? Retirez-le de vos véhicules, c’est tout.',
  ],
  otherEnded: 'L’autre enregistrement de cette plaque a pris fin.',
  paused:
    'Vous avez vous-même mis ce véhicule en pause. Tant que vous ne le réactivez pas dans vos véhicules, personne ne peut vous joindre à son sujet.',
}

/** The texts; `emails.ts` arranges them in blocks. */
export const DISPUTE_TEXTS: Record<Locale, DisputeTexts> = {
  en: {
    ...EN,
    sides: {
      challenger: ({ plate, due, dueDay }) => ({
        subject: `One more step by ${dueDay}: show that plate ${plate} is yours`,
        preheader: 'Send two documents, and we’ll find out who the plate belongs to.',
        heading: 'One more step for your plate',
        what: 'This plate is already in another account. Until we know who it belongs to, you don’t receive messages for it.',
        ask: `Please send us, ${EN.within(due)} a photo or scan of:`,
        next: [
          `If your documents match, the plate is yours on ${PRODUCT}.`,
          'If we haven’t recorded anything from you by then, your registration is rejected automatically; you can ask a person to look again.',
        ],
        reason: 'You’re receiving this email because you registered this plate.',
      }),
      incumbent: ({ plate, due, dueDay }) => ({
        subject: `Action needed by ${dueDay}: someone else registered plate ${plate}`,
        preheader: 'Messages to this plate are on hold. Send two documents if it’s yours.',
        heading: 'Someone else says this plate is theirs',
        what: `Another person registered this plate on ${PRODUCT}. Until we know who it belongs to, it can’t receive messages. Nothing changes for the rest of your account.`,
        ask: `Is it yours? Please send us, ${EN.within(due)} a photo or scan of:`,
        next: [
          EN.ifTheyMatch,
          'If the other person sends nothing by then and nobody else claims the plate, it can receive messages again.',
          ...EN.lossAndSale,
        ],
        reason: EN.registered,
      }),
      verifiedOwner: ({ plate, due }) => ({
        subject: `Is plate ${plate} still yours?`,
        preheader: 'Someone else says it’s theirs. Your plate stays verified and keeps receiving messages.',
        heading: 'Is this vehicle still yours?',
        what: 'Someone else says this plate is theirs, perhaps after a sale. Your plate stays verified and keeps receiving messages while we look into it.',
        ask: `If the vehicle is still yours, please send us, ${EN.within(due)} a photo or scan of:`,
        next: [EN.nothingChanges, ...EN.lossAndSale],
        reason: EN.registered,
      }),
      liveOwner: ({ plate, due }) => ({
        subject: `Someone else says plate ${plate} is theirs`,
        preheader: 'Your plate isn’t paused and keeps receiving messages.',
        heading: 'Someone else says this plate is theirs',
        what: `Another person registered this plate on ${PRODUCT}. Your plate isn’t paused: it keeps receiving messages while we look into it.`,
        ask: `To settle it, please send us, ${EN.within(due)} a photo or scan of:`,
        next: [EN.ifTheyMatch, EN.nothingChanges, ...EN.lossAndSale],
        reason: EN.registered,
      }),
    },
    settlements: {
      restored: (plate) => ({
        subject: `Plate ${plate} can receive messages again`,
        heading: 'Your plate can receive messages again',
        what: `${EN.otherEnded} Your plate is no longer paused, and there’s nothing else you need to do.`,
      }),
      stayed: (plate) => ({
        subject: `You keep plate ${plate}`,
        heading: 'You keep your plate',
        what: `${EN.otherEnded} Your plate stays verified, and there’s nothing else you need to do.`,
      }),
      undisturbed: (plate) => ({
        subject: `You keep plate ${plate}`,
        heading: 'You keep your plate',
        what: `${EN.otherEnded} Your plate keeps receiving messages as before, and there’s nothing else you need to do.`,
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
        what: `${EN.otherEnded} Your registration is active: your plate can receive messages. You don’t have to send any more documents.`,
      }),
      started: (plate) => ({
        subject: `Your registration of plate ${plate} is now active`,
        preheader: 'It can receive messages, although another person still claims it.',
        heading: 'Your registration is now active',
        what: 'Another registration of this plate has ended, and yours is active: your plate can receive messages. Someone else still claims the plate: we’re looking into it while your plate keeps receiving messages.',
      }),
    },
  },
  'fr-CA': {
    ...FR,
    sides: {
      challenger: ({ plate, due, dueDay }) => ({
        subject: `Encore une étape d’ici le ${dueDay} : montrez que la plaque ${plate} est à vous`,
        preheader: 'Envoyez deux documents, et nous établirons à qui appartient la plaque.',
        heading: 'Encore une étape pour votre plaque',
        what: 'Cette plaque figure déjà dans un autre compte. Tant que nous ne savons pas à qui elle appartient, vous ne recevez pas de messages pour cette plaque.',
        ask: `Veuillez nous envoyer, ${FR.within(due)} une photo ou une copie numérisée des documents suivants :`,
        next: [
          `Si vos documents concordent, la plaque est à vous dans ${PRODUCT}.`,
          'Si nous n’avons rien reçu d’ici là, votre enregistrement est refusé automatiquement; vous pourrez demander qu’une personne revoie la décision.',
        ],
        reason: 'Vous recevez ce courriel parce que vous avez enregistré cette plaque.',
      }),
      incumbent: ({ plate, due, dueDay }) => ({
        subject: `À faire d’ici le ${dueDay} : une autre personne a enregistré la plaque ${plate}`,
        preheader: 'Les messages à cette plaque sont suspendus. Envoyez deux documents si elle est à vous.',
        heading: 'Une autre personne affirme que cette plaque est la sienne',
        what: `Une autre personne a enregistré cette plaque dans ${PRODUCT}. Tant que nous ne savons pas à qui elle appartient, elle ne peut pas recevoir de messages. Rien ne change pour le reste de votre compte.`,
        ask: `Elle est à vous? Veuillez nous envoyer, ${FR.within(due)} une photo ou une copie numérisée des documents suivants :`,
        next: [
          FR.ifTheyMatch,
          'Si l’autre personne n’envoie rien d’ici là et que personne d’autre ne revendique la plaque, elle pourra de nouveau recevoir des messages.',
          ...FR.lossAndSale,
        ],
        reason: FR.registered,
      }),
      verifiedOwner: ({ plate, due }) => ({
        subject: `La plaque ${plate} est-elle toujours à vous?`,
        preheader:
          'Une autre personne affirme qu’elle est la sienne. Votre plaque demeure vérifiée et reçoit encore des messages.',
        heading: 'Ce véhicule est-il toujours à vous?',
        what: 'Une autre personne affirme que cette plaque est la sienne, peut-être après une vente. Votre plaque demeure vérifiée et continue de recevoir des messages pendant que nous examinons la demande.',
        ask: `Si le véhicule est toujours à vous, veuillez nous envoyer, ${FR.within(due)} une photo ou une copie numérisée des documents suivants :`,
        next: [FR.nothingChanges, ...FR.lossAndSale],
        reason: FR.registered,
      }),
      liveOwner: ({ plate, due }) => ({
        subject: `Une autre personne affirme que la plaque ${plate} est la sienne`,
        preheader: 'Votre plaque n’est pas suspendue et continue de recevoir des messages.',
        heading: 'Une autre personne affirme que cette plaque est la sienne',
        what: `Une autre personne a enregistré cette plaque dans ${PRODUCT}. Votre plaque n’est pas suspendue : elle continue de recevoir des messages pendant que nous examinons la demande.`,
        ask: `Pour régler la question, veuillez nous envoyer, ${FR.within(due)} une photo ou une copie numérisée des documents suivants :`,
        next: [FR.ifTheyMatch, FR.nothingChanges, ...FR.lossAndSale],
        reason: FR.registered,
      }),
    },
    settlements: {
      restored: (plate) => ({
        subject: `La plaque ${plate} peut de nouveau recevoir des messages`,
        heading: 'Votre plaque peut de nouveau recevoir des messages',
        what: `${FR.otherEnded} Votre plaque n’est plus suspendue, et vous n’avez rien d’autre à faire.`,
      }),
      stayed: (plate) => ({
        subject: `Vous gardez la plaque ${plate}`,
        heading: 'Vous gardez votre plaque',
        what: `${FR.otherEnded} Votre plaque demeure vérifiée, et vous n’avez rien d’autre à faire.`,
      }),
      undisturbed: (plate) => ({
        subject: `Vous gardez la plaque ${plate}`,
        heading: 'Vous gardez votre plaque',
        what: `${FR.otherEnded} Votre plaque continue de recevoir des messages comme avant, et vous n’avez rien d’autre à faire.`,
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
        what: `${FR.otherEnded} Votre enregistrement est actif : votre plaque peut recevoir des messages. Vous n’avez plus de documents à envoyer.`,
      }),
      started: (plate) => ({
        subject: `Votre enregistrement de la plaque ${plate} est actif`,
        preheader: 'Elle peut recevoir des messages, même si une autre personne la revendique encore.',
        heading: 'Votre enregistrement est actif',
        what: 'Un autre enregistrement de cette plaque a pris fin et le vôtre est actif : votre plaque peut recevoir des messages. Une autre personne la revendique encore : nous examinons sa demande pendant que votre plaque continue de recevoir des messages.',
      }),
    },
  },
}

/** Reminds an owner that a plate which works again still reaches nobody (decision quiet-hours); nothing for any other vehicle. */
export const pausedNote = ({ paused }: { paused: boolean }, locale: Locale): MailBlock[] =>
  paused ? [{ kind: 'text', text: DISPUTE_TEXTS[locale].paused }] : []
