import { paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { renderMinimalPage } from '../http/minimal-page.ts'

/** A valid link asks for confirmation; the emails are turned off; the link is none of ours. */
export type UnsubscribeState = 'question' | 'done' | 'unknown'

type UnsubscribeTexts = Record<UnsubscribeState, { heading: string; text: string }> & {
  button: string
  profile: Record<UnsubscribeState, string>
}

const TEXTS: Record<Locale, UnsubscribeTexts> = {
  en: {
    question: {
      heading: 'Stop emails about new messages?',
      text: `You’ll still find every message in ${PRODUCT}. You’ll still get emails about your account, your vehicles and replies to you.`,
    },
    done: {
      heading: 'You won’t get any more emails about new messages',
      text: `You’ll still find every message in ${PRODUCT}. You’ll still get emails about your account, your vehicles and replies to you.`,
    },
    unknown: {
      heading: 'This link doesn’t work',
      text: 'Open the link in one of our emails again, or choose in your profile which emails you get.',
    },
    button: 'Stop these emails',
    profile: {
      question: 'Choose in my profile instead',
      done: 'Turn them back on in my profile',
      unknown: 'Go to my profile',
    },
  },
  'fr-CA': {
    question: {
      heading: 'Ne plus recevoir de courriels au sujet des nouveaux messages?',
      text: `Vous trouverez toujours chaque message dans ${PRODUCT}. Vous recevrez encore les courriels au sujet de votre compte, de vos véhicules et des réponses à vos messages.`,
    },
    done: {
      heading: 'Vous ne recevrez plus de courriels au sujet des nouveaux messages',
      text: `Vous trouvez toujours chaque message dans ${PRODUCT}. Vous recevrez encore les courriels au sujet de votre compte, de vos véhicules et des réponses à vos messages.`,
    },
    unknown: {
      heading: 'Ce lien ne fonctionne pas',
      text: 'Ouvrez de nouveau le lien dans l’un de nos courriels, ou choisissez dans votre profil les courriels que vous recevez.',
    },
    button: 'Ne plus recevoir ces courriels',
    profile: {
      question: 'Choisir plutôt dans mon profil',
      done: 'Les réactiver dans mon profil',
      unknown: 'Aller à mon profil',
    },
  },
}

/** Renders the page of `/unsubscribe/:token`. Its form posts to the page's own address. */
export function renderUnsubscribePage(state: UnsubscribeState, locale: Locale, publicUrl: string): string {
  const { button, profile, [state]: texts } = TEXTS[locale]
  const form = `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${button}</button></form>`
  return renderMinimalPage(locale, publicUrl, {
    ...texts,
    ...(state === 'question' && { form }),
    link: { text: profile[state], path: paths.profile('notifications') },
  })
}
