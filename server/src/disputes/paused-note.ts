import type { Locale } from '#contract/product.ts'
import type { MailBlock } from '../email/mail-content.ts'

const TEXTS: Record<Locale, string> = {
  en: 'You paused this vehicle yourself. Until you resume it in your vehicles, nobody can reach you about it.',
  'fr-CA':
    'Vous avez vous-même mis ce véhicule en pause. Tant que vous ne le réactivez pas dans vos véhicules, personne ne peut vous joindre à son sujet.',
}

/** Reminds an owner that a plate which works again still reaches nobody (decision quiet-hours); nothing for any other vehicle. */
export const pausedNote = ({ paused }: { paused: boolean }, locale: Locale): MailBlock[] =>
  paused ? [{ kind: 'text', text: TEXTS[locale] }] : []
