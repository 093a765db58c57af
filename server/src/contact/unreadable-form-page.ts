import { paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { renderMinimalPage } from '../http/minimal-page.ts'

const TEXTS = {
  en: {
    heading: 'Your message wasn’t sent',
    too_large:
      'It’s too long, so we couldn’t keep it. A message can have at most 5,000 characters. Go back in your browser to shorten it, or start again.',
    unreadable: 'We couldn’t read what your browser sent, so we couldn’t keep it. Please use our contact form.',
    link: 'Go to the contact form',
  },
  'fr-CA': {
    heading: 'Votre message n’a pas été envoyé',
    too_large:
      'Il est trop long, et nous ne l’avons pas conservé. Un message peut compter au plus 5 000 caractères. Revenez en arrière dans votre navigateur pour le raccourcir, ou recommencez.',
    unreadable:
      'Nous n’avons pas pu lire ce que votre navigateur a envoyé, et nous ne l’avons pas conservé. Veuillez utiliser notre formulaire.',
    link: 'Aller au formulaire',
  },
} as const satisfies Record<Locale, Record<string, string>>

/** Renders the page about a posted form that was never read: there is no text to give back. */
export function renderUnreadableFormPage(
  reason: 'too_large' | 'unreadable',
  locale: Locale,
  publicUrl: string,
): string {
  const { heading, [reason]: text, link } = TEXTS[locale]
  return renderMinimalPage(locale, publicUrl, { heading, text, link: { text: link, path: paths.contact() } })
}
