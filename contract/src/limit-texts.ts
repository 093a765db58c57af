import type { Locale } from './product.ts'

/** The texts of `too_many_requests` where the user can act on them. The code in the response is always the same. */
export const LIMIT_TEXTS = {
  messages: {
    en: 'You’ve sent many messages in a short time. Please wait before sending another.',
    'fr-CA': 'Vous avez envoyé beaucoup de messages en peu de temps. Veuillez patienter avant d’en envoyer un autre.',
  },
  misses: {
    en: 'Several plates you tried couldn’t be reached. To protect people’s plates, sending is paused for now. Please try again later.',
    'fr-CA':
      'Plusieurs plaques saisies n’ont pas pu être jointes. Pour protéger les gens, l’envoi est suspendu pour l’instant. Veuillez réessayer plus tard.',
  },
  unanswered: {
    en: 'You’ve already sent this vehicle several messages with no reply. Please give the owner time to answer.',
    'fr-CA':
      'Vous avez déjà envoyé plusieurs messages à ce véhicule, restés sans réponse. Veuillez laisser au propriétaire le temps de répondre.',
  },
  contact: {
    en: 'You’ve contacted us several times in a short time. Please wait before contacting us again.',
    'fr-CA': 'Vous nous avez écrit plusieurs fois en peu de temps. Veuillez patienter avant de nous écrire de nouveau.',
  },
  notes: {
    en: 'Too many codes were tried from this network. Please try again in an hour.',
    'fr-CA': 'Trop de codes ont été essayés à partir de ce réseau. Veuillez réessayer dans une heure.',
  },
  reports: {
    en: 'You’ve sent many reports today. Please send the next one tomorrow. If you’re in danger, call 911.',
    'fr-CA':
      'Vous avez envoyé beaucoup de signalements aujourd’hui. Veuillez envoyer le prochain demain. En cas de danger, appelez le 911.',
  },
  guest: {
    en: 'You have left several messages today. Please try again tomorrow.',
    'fr-CA': 'Vous avez laissé plusieurs messages aujourd’hui. Veuillez réessayer demain.',
  },
  uploads: {
    en: 'You’ve added many images today. Please try again later.',
    'fr-CA': 'Vous avez ajouté beaucoup d’images aujourd’hui. Veuillez réessayer plus tard.',
  },
  documents: {
    en: 'You’ve sent many documents today. Please try again tomorrow, or reply to our email.',
    'fr-CA': 'Vous avez envoyé beaucoup de documents aujourd’hui. Réessayez demain, ou répondez à notre courriel.',
  },
} as const satisfies Record<string, Record<Locale, string>>

export type LimitText = keyof typeof LIMIT_TEXTS

/** Returns what a person reads when a limit is reached, in their language. */
export const limitText = (limit: LimitText, locale: Locale): string => LIMIT_TEXTS[limit][locale]
