import type { Locale } from '#contract/product.ts'
import type { Settlement } from './state-machine.ts'

/** The text of the email to whoever keeps or gets a plate. Never says who the other side was, nor why it ended. */
export type SettlementText = { subject: string; preheader: string; heading: string; what: string; reason: string }

const OTHER_REGISTRATION_ENDED: Record<Locale, string> = {
  en: 'The other registration of this plate has ended.',
  'fr-CA': 'L’autre enregistrement de cette plaque a pris fin.',
}
const REASON: Record<Locale, string> = {
  en: 'You get this email because this plate is registered in your account.',
  'fr-CA': 'Vous recevez ce courriel parce que cette plaque est enregistrée dans votre compte.',
}

export const settlementTexts: Record<Locale, Record<Settlement, (plate: string) => SettlementText>> = {
  en: {
    restored: (plate) => ({
      subject: `Your plate ${plate} works again`,
      preheader: OTHER_REGISTRATION_ENDED.en,
      heading: 'Your plate works again',
      what: `${OTHER_REGISTRATION_ENDED.en} Your plate is not paused any more, and there is nothing else to do.`,
      reason: REASON.en,
    }),
    stayed: (plate) => ({
      subject: `Your plate ${plate} stays yours`,
      preheader: OTHER_REGISTRATION_ENDED.en,
      heading: 'Your plate stays yours',
      what: `${OTHER_REGISTRATION_ENDED.en} Your plate stays verified, and there is nothing else to do.`,
      reason: REASON.en,
    }),
    undisturbed: (plate) => ({
      subject: `Your plate ${plate} stays yours`,
      preheader: OTHER_REGISTRATION_ENDED.en,
      heading: 'Your plate stays yours',
      what: `${OTHER_REGISTRATION_ENDED.en} Your plate keeps receiving messages as before, and there is nothing else to do.`,
      reason: REASON.en,
    }),
    resumed: (plate) => ({
      subject: `Your plate ${plate} works again`,
      preheader: 'It is not paused any more, although another account still asks for it.',
      heading: 'Your plate works again',
      what: 'A registration of this plate by another account has ended, and your plate is not paused any more. Somebody else still asks for the plate: we look into that while it keeps receiving messages.',
      reason: REASON.en,
    }),
    gained: (plate) => ({
      subject: `The plate ${plate} is yours now`,
      preheader: OTHER_REGISTRATION_ENDED.en,
      heading: 'The plate is yours now',
      what: `${OTHER_REGISTRATION_ENDED.en} Your registration is active: people can send you messages through this plate. You do not have to send any more documents.`,
      reason: REASON.en,
    }),
  },
  'fr-CA': {
    restored: (plate) => ({
      subject: `Votre plaque ${plate} fonctionne de nouveau`,
      preheader: OTHER_REGISTRATION_ENDED['fr-CA'],
      heading: 'Votre plaque fonctionne de nouveau',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre plaque n’est plus suspendue, et il n’y a rien d’autre à faire.`,
      reason: REASON['fr-CA'],
    }),
    stayed: (plate) => ({
      subject: `Votre plaque ${plate} demeure la vôtre`,
      preheader: OTHER_REGISTRATION_ENDED['fr-CA'],
      heading: 'Votre plaque demeure la vôtre',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre plaque demeure vérifiée, et il n’y a rien d’autre à faire.`,
      reason: REASON['fr-CA'],
    }),
    undisturbed: (plate) => ({
      subject: `Votre plaque ${plate} demeure la vôtre`,
      preheader: OTHER_REGISTRATION_ENDED['fr-CA'],
      heading: 'Votre plaque demeure la vôtre',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre plaque continue de recevoir des messages comme avant, et il n’y a rien d’autre à faire.`,
      reason: REASON['fr-CA'],
    }),
    resumed: (plate) => ({
      subject: `Votre plaque ${plate} fonctionne de nouveau`,
      preheader: 'Elle n’est plus suspendue, même si un autre compte la demande encore.',
      heading: 'Votre plaque fonctionne de nouveau',
      what: 'L’enregistrement de cette plaque par un autre compte a pris fin et votre plaque n’est plus suspendue. Quelqu’un d’autre la demande encore : nous examinons cette demande pendant que la plaque continue de recevoir des messages.',
      reason: REASON['fr-CA'],
    }),
    gained: (plate) => ({
      subject: `La plaque ${plate} est maintenant la vôtre`,
      preheader: OTHER_REGISTRATION_ENDED['fr-CA'],
      heading: 'La plaque est maintenant la vôtre',
      what: `${OTHER_REGISTRATION_ENDED['fr-CA']} Votre enregistrement est actif : on peut vous écrire par cette plaque. Vous n’avez plus de documents à envoyer.`,
      reason: REASON['fr-CA'],
    }),
  },
}
