import type { Locale } from '#contract/product.ts'
import { DOCUMENTS_BUSINESS_DAYS } from './business-days.ts'

/** What an email about a dispute refers to. All of it is the recipient's own. */
export type DisputeFacts = { plate: string; dueDay: string; supportEmail: string }

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

/** The day documents are due and the period that requirements §4 name: "November 27, 2026 (within 5 business days)". */
const BY_WHEN: Record<Locale, (dueDay: string) => string> = {
  en: (dueDay) => `${dueDay} (within ${DOCUMENTS_BUSINESS_DAYS} business days)`,
  'fr-CA': (dueDay) => `${dueDay} (dans un délai de ${DOCUMENTS_BUSINESS_DAYS} jours ouvrables)`,
}

const DOCUMENTS: Record<Locale, string[]> = {
  en: ['your driver’s licence', 'the registration of the vehicle (ownership permit)'],
  'fr-CA': ['votre permis de conduire', 'le certificat d’immatriculation du véhicule'],
}

/** The upload first, which is sealed and known to have arrived; email second. */
const HOW: Record<Locale, (supportEmail: string) => string> = {
  en: (supportEmail) =>
    `Best send them with the button below: there they are sealed, and only the admin who decides can open them. Or reply to this email with them attached; you can also write to ${supportEmail}.`,
  'fr-CA': (supportEmail) =>
    `Le mieux est de les envoyer par le bouton ci-dessous : ils y sont scellés, et seule la personne de l’équipe qui tranche peut les ouvrir. Ou répondez à ce courriel en les joignant; vous pouvez aussi écrire à ${supportEmail}.`,
}

const PRIVACY: Record<Locale, string[]> = {
  en: [
    'Please cover everything we do not need: photo, signature, date of birth, licence and reference numbers, and all of the vehicle identification number (VIN) but its last 6 characters. Your name, your address, the plate and the expiry dates must stay readable.',
    'We look at the documents for this decision only. They are deleted once it is made, and those sent with the button at most 30 days after the due date. The other person never learns who you are.',
  ],
  'fr-CA': [
    'Veuillez masquer tout ce dont nous n’avons pas besoin : photo, signature, date de naissance, numéros de permis et de référence, et le numéro d’identification du véhicule (NIV), sauf ses 6 derniers caractères. Votre nom, votre adresse, la plaque et les dates d’expiration doivent rester lisibles.',
    'Nous consultons ces documents pour cette décision seulement. Ils sont supprimés dès qu’elle est prise et, ceux envoyés par le bouton, au plus tard 30 jours après l’échéance. L’autre personne ne saura jamais qui vous êtes.',
  ],
}

/** The email to the person who registered a plate that somebody else had (requirements §4). */
export const challengerText: Record<Locale, (facts: DisputeFacts) => DisputeMailText> = {
  en: ({ plate, dueDay, supportEmail }) => ({
    subject: `Please confirm that plate ${plate} is yours`,
    preheader: `Send two documents by ${dueDay} and we will settle who the plate belongs to.`,
    heading: 'One more step for your plate',
    what: [
      'You registered a plate that another account already has. Until we know whose it is, nobody can message you through it.',
    ],
    ask: [`By ${BY_WHEN.en(dueDay)}, please send us a photo or scan of:`],
    documents: DOCUMENTS.en,
    how: HOW.en(supportEmail),
    privacy: PRIVACY.en,
    next: [
      'Once the documents show that the vehicle is yours, your registration is verified and nobody else can take the plate.',
      `If nothing reaches us by ${dueDay}, your registration ends and the other one stays.`,
    ],
    button: 'Send your documents',
    reason: 'You get this email because you registered this plate.',
  }),
  'fr-CA': ({ plate, dueDay, supportEmail }) => ({
    subject: `Veuillez confirmer que la plaque ${plate} est la vôtre`,
    preheader: `Envoyez deux documents d’ici le ${dueDay} et nous établirons à qui est la plaque.`,
    heading: 'Encore une étape pour votre plaque',
    what: [
      'Vous avez enregistré une plaque qu’un autre compte possède déjà. Tant que nous ne savons pas à qui elle est, personne ne peut vous écrire par cette plaque.',
    ],
    ask: [
      `D’ici le ${BY_WHEN['fr-CA'](dueDay)}, veuillez nous envoyer une photo ou une copie numérisée des documents suivants :`,
    ],
    documents: DOCUMENTS['fr-CA'],
    how: HOW['fr-CA'](supportEmail),
    privacy: PRIVACY['fr-CA'],
    next: [
      'Dès que les documents montrent que le véhicule est le vôtre, votre enregistrement est vérifié et personne d’autre ne peut prendre la plaque.',
      `Si rien ne nous parvient d’ici le ${dueDay}, votre enregistrement prend fin et l’autre demeure.`,
    ],
    button: 'Envoyer vos documents',
    reason: 'Vous recevez ce courriel parce que vous avez enregistré cette plaque.',
  }),
}

/** The email to the person whose plate somebody else registered, paused until it is settled (requirements §4). */
export const incumbentText: Record<Locale, (facts: DisputeFacts) => DisputeMailText> = {
  en: ({ plate, dueDay, supportEmail }) => ({
    subject: `Somebody else registered your plate ${plate}`,
    preheader: `Messages are paused. Send two documents by ${dueDay} to keep the plate.`,
    heading: 'Somebody else registered your plate',
    what: [
      'Another account says that this plate is theirs. Until it is settled, nobody can send messages to it. Your account, your other vehicles and the messages you have keep working.',
    ],
    ask: [`By ${BY_WHEN.en(dueDay)}, please send us a photo or scan of:`],
    documents: DOCUMENTS.en,
    how: HOW.en(supportEmail),
    privacy: PRIVACY.en,
    next: [
      'Once the documents show that the vehicle is yours, it is verified and nobody else can take the plate.',
      `If the other person sends no documents by ${dueDay}, your plate works again as before.`,
      'Sold the vehicle? Then remove it from your vehicles, and there is nothing else to do.',
    ],
    button: 'Send your documents',
    reason: 'You get this email because this plate is registered in your account.',
  }),
  'fr-CA': ({ plate, dueDay, supportEmail }) => ({
    subject: `Quelqu’un d’autre a enregistré votre plaque ${plate}`,
    preheader: `Les messages sont suspendus. Envoyez deux documents d’ici le ${dueDay} pour garder la plaque.`,
    heading: 'Quelqu’un d’autre a enregistré votre plaque',
    what: [
      'Un autre compte affirme que cette plaque est la sienne. Tant que la question n’est pas réglée, personne ne peut y envoyer de messages. Votre compte, vos autres véhicules et les messages que vous avez continuent de fonctionner.',
    ],
    ask: [
      `D’ici le ${BY_WHEN['fr-CA'](dueDay)}, veuillez nous envoyer une photo ou une copie numérisée des documents suivants :`,
    ],
    documents: DOCUMENTS['fr-CA'],
    how: HOW['fr-CA'](supportEmail),
    privacy: PRIVACY['fr-CA'],
    next: [
      'Dès que les documents montrent que le véhicule est le vôtre, il est vérifié et personne d’autre ne peut prendre la plaque.',
      `Si l’autre personne n’envoie pas ses documents d’ici le ${dueDay}, votre plaque fonctionne de nouveau comme avant.`,
      'Vous avez vendu le véhicule? Retirez-le de vos véhicules; il n’y a rien d’autre à faire.',
    ],
    button: 'Envoyer vos documents',
    reason: 'Vous recevez ce courriel parce que cette plaque est enregistrée dans votre compte.',
  }),
}

/** The email to a verified owner, whose plate stays live meanwhile (decision 0050). */
export const verifiedOwnerText: Record<Locale, (facts: DisputeFacts) => DisputeMailText> = {
  en: ({ plate, dueDay, supportEmail }) => ({
    subject: `Somebody asks to take over your verified plate ${plate}`,
    preheader: 'Your plate stays verified and keeps receiving messages.',
    heading: 'Is this vehicle still yours?',
    what: [
      'Another account says that this plate is theirs now, for example after a sale. Your plate stays verified and keeps receiving messages while we look into it.',
    ],
    ask: [`If the vehicle is still yours, please send us, by ${BY_WHEN.en(dueDay)}, a photo or scan of:`],
    documents: DOCUMENTS.en,
    how: HOW.en(supportEmail),
    privacy: PRIVACY.en,
    next: [
      `If the other person sends no documents by ${dueDay}, their request ends and nothing changes for you.`,
      'Sold the vehicle? Then remove it from your vehicles, so that its messages stop coming to you.',
    ],
    button: 'Send your documents',
    reason: 'You get this email because this plate is registered in your account.',
  }),
  'fr-CA': ({ plate, dueDay, supportEmail }) => ({
    subject: `Quelqu’un demande à reprendre votre plaque vérifiée ${plate}`,
    preheader: 'Votre plaque reste vérifiée et continue de recevoir des messages.',
    heading: 'Ce véhicule est-il encore le vôtre?',
    what: [
      'Un autre compte affirme que cette plaque est maintenant la sienne, par exemple après une vente. Votre plaque reste vérifiée et continue de recevoir des messages pendant que nous examinons la demande.',
    ],
    ask: [
      `Si le véhicule est encore le vôtre, veuillez nous envoyer, d’ici le ${BY_WHEN['fr-CA'](dueDay)}, une photo ou une copie numérisée des documents suivants :`,
    ],
    documents: DOCUMENTS['fr-CA'],
    how: HOW['fr-CA'](supportEmail),
    privacy: PRIVACY['fr-CA'],
    next: [
      `Si l’autre personne n’envoie pas ses documents d’ici le ${dueDay}, sa demande prend fin et rien ne change pour vous.`,
      'Vous avez vendu le véhicule? Retirez-le de vos véhicules pour ne plus recevoir ses messages.',
    ],
    button: 'Envoyer vos documents',
    reason: 'Vous recevez ce courriel parce que cette plaque est enregistrée dans votre compte.',
  }),
}

/** The email to an owner whose plate a challenge does not pause (decision 0077). */
export const liveOwnerText: Record<Locale, (facts: DisputeFacts) => DisputeMailText> = {
  en: ({ plate, dueDay, supportEmail }) => ({
    subject: `Somebody else says that plate ${plate} is theirs`,
    preheader: 'Your plate keeps working and receiving messages.',
    heading: 'Somebody else asks for your plate',
    what: [
      'Another account says that this plate is theirs. Your plate is not paused: it keeps receiving messages while we look into it.',
    ],
    ask: [`To settle it for good, please send us, by ${BY_WHEN.en(dueDay)}, a photo or scan of:`],
    documents: DOCUMENTS.en,
    how: HOW.en(supportEmail),
    privacy: PRIVACY.en,
    next: [
      'Once the documents show that the vehicle is yours, it is verified and nobody else can take the plate.',
      `If the other person sends no documents by ${dueDay}, their request ends and nothing changes for you.`,
      'Sold the vehicle? Then remove it from your vehicles, and there is nothing else to do.',
    ],
    button: 'Send your documents',
    reason: 'You get this email because this plate is registered in your account.',
  }),
  'fr-CA': ({ plate, dueDay, supportEmail }) => ({
    subject: `Quelqu’un d’autre dit que la plaque ${plate} est la sienne`,
    preheader: 'Votre plaque continue de fonctionner et de recevoir des messages.',
    heading: 'Quelqu’un d’autre demande votre plaque',
    what: [
      'Un autre compte affirme que cette plaque est la sienne. Votre plaque n’est pas suspendue : elle continue de recevoir des messages pendant que nous examinons la demande.',
    ],
    ask: [
      `Pour régler la question une fois pour toutes, veuillez nous envoyer, d’ici le ${BY_WHEN['fr-CA'](dueDay)}, une photo ou une copie numérisée des documents suivants :`,
    ],
    documents: DOCUMENTS['fr-CA'],
    how: HOW['fr-CA'](supportEmail),
    privacy: PRIVACY['fr-CA'],
    next: [
      'Dès que les documents montrent que le véhicule est le vôtre, il est vérifié et personne d’autre ne peut prendre la plaque.',
      `Si l’autre personne n’envoie pas ses documents d’ici le ${dueDay}, sa demande prend fin et rien ne change pour vous.`,
      'Vous avez vendu le véhicule? Retirez-le de vos véhicules; il n’y a rien d’autre à faire.',
    ],
    button: 'Envoyer vos documents',
    reason: 'Vous recevez ce courriel parce que cette plaque est enregistrée dans votre compte.',
  }),
}
