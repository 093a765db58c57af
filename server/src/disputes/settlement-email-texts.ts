import type { Locale } from '#contract/product.ts'
import type { Settlement } from './state-machine.ts'

/** The text of the email to the owner who keeps or gets a plate. Never says who the other side was, nor why it ended. */
type SettlementText = { subject: string; preheader: string; heading: string; what: string; reason: string }

const OTHER_REGISTRATION_ENDED: Record<Locale, string> = {
  en: 'The other registration of this plate has ended.',
  'fr-CA': 'L’autre enregistrement de cette plaque a pris fin.',
}
const REASON: Record<Locale, string> = {
  en: 'You’re receiving this email because this plate is registered in your account.',
  'fr-CA': 'Vous recevez ce courriel parce que cette plaque est enregistrée dans votre compte.',
}

export const settlementTexts: Record<Locale, Record<Settlement, (plate: string) => SettlementText>> = {
  en: {
    restored: (plate) => ({
      subject: `Plate ${plate} can receive messages again`,
      preheader: OTHER_REGISTRATION_ENDED.en,
      heading: 'Your plate can receive messages again',
      what: `${OTHER_REGISTRATION_ENDED.en} Your plate is no longer paused, and there’s nothing else you need to do.`,
      reason: REASON.en,
    }),
    stayed: (plate) => ({
      subject: `You keep plate ${plate}`,
      preheader: OTHER_REGISTRATION_ENDED.en,
      heading: 'You keep your plate',
      what: `${OTHER_REGISTRATION_ENDED.en} Your plate stays verified, and there’s nothing else you need to do.`,
      reason: REASON.en,
    }),
    undisturbed: (plate) => ({
      subject: `You keep plate ${plate}`,
      preheader: OTHER_REGISTRATION_ENDED.en,
      heading: 'You keep your plate',
      what: `${OTHER_REGISTRATION_ENDED.en} Your plate keeps receiving messages as before, and there’s nothing else you need to do.`,
      reason: REASON.en,
    }),
    resumed: (plate) => ({
      subject: `Plate ${plate} can receive messages again`,
      preheader: 'It’s no longer paused, although another person still claims it.',
      heading: 'Your plate can receive messages again',
      what: 'Another registration of this plate has ended, and your plate is no longer paused. Someone else still claims the plate: we’re looking into it while your plate keeps receiving messages.',
      reason: REASON.en,
    }),
    gained: (plate) => ({
      subject: `Your registration of plate ${plate} is now active`,
      preheader: OTHER_REGISTRATION_ENDED.en,
      heading: 'Your registration is now active',
      what: `${OTHER_REGISTRATION_ENDED.en} Your registration is active: your plate can receive messages. You don’t have to send any more documents.`,
      reason: REASON.en,
    }),
    started: (plate) => ({
      subject: `Your registration of plate ${plate} is now active`,
      preheader: 'It can receive messages, although another person still claims it.',
      heading: 'Your registration is now active',
      what: 'Another registration of this plate has ended, and yours is active: your plate can receive messages. Someone else still claims the plate: we’re looking into it while your plate keeps receiving messages.',
      reason: REASON.en,
    }),
  },
  'fr-CA': {
    restored: (plate) => ({
      subject: `La plaque ${plate} peut de nouveau recevoir des messages`,
      preheader: OTHER_REGISTRATION_ENDED['fr-CA'],
      heading: 'Votre plaque peut de nouveau recevoir des messages',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre plaque n’est plus suspendue, et vous n’avez rien d’autre à faire.`,
      reason: REASON['fr-CA'],
    }),
    stayed: (plate) => ({
      subject: `Vous gardez la plaque ${plate}`,
      preheader: OTHER_REGISTRATION_ENDED['fr-CA'],
      heading: 'Vous gardez votre plaque',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre plaque demeure vérifiée, et vous n’avez rien d’autre à faire.`,
      reason: REASON['fr-CA'],
    }),
    undisturbed: (plate) => ({
      subject: `Vous gardez la plaque ${plate}`,
      preheader: OTHER_REGISTRATION_ENDED['fr-CA'],
      heading: 'Vous gardez votre plaque',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre plaque continue de recevoir des messages comme avant, et vous n’avez rien d’autre à faire.`,
      reason: REASON['fr-CA'],
    }),
    resumed: (plate) => ({
      subject: `La plaque ${plate} peut de nouveau recevoir des messages`,
      preheader: 'Elle n’est plus suspendue, même si une autre personne la revendique encore.',
      heading: 'Votre plaque peut de nouveau recevoir des messages',
      what: 'Un autre enregistrement de cette plaque a pris fin et la vôtre n’est plus suspendue. Une autre personne la revendique encore : nous examinons sa demande pendant que votre plaque continue de recevoir des messages.',
      reason: REASON['fr-CA'],
    }),
    gained: (plate) => ({
      subject: `Votre enregistrement de la plaque ${plate} est actif`,
      preheader: OTHER_REGISTRATION_ENDED['fr-CA'],
      heading: 'Votre enregistrement est actif',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre enregistrement est actif : votre plaque peut recevoir des messages. Vous n’avez plus de documents à envoyer.`,
      reason: REASON['fr-CA'],
    }),
    started: (plate) => ({
      subject: `Votre enregistrement de la plaque ${plate} est actif`,
      preheader: 'Elle peut recevoir des messages, même si une autre personne la revendique encore.',
      heading: 'Votre enregistrement est actif',
      what: 'Un autre enregistrement de cette plaque a pris fin et le vôtre est actif : votre plaque peut recevoir des messages. Une autre personne la revendique encore : nous examinons sa demande pendant que votre plaque continue de recevoir des messages.',
      reason: REASON['fr-CA'],
    }),
  },
}
