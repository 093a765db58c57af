import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import type { RenderMail } from '../email/mail-content.ts'
import { queueMail } from '../email/outbox.ts'

type SignInFailuresTexts = Record<
  'subject' | 'preheader' | 'heading' | 'what' | 'state' | 'yours' | 'advice' | 'button' | 'reason',
  string
>

const TEXTS: Record<Locale, (supportEmail: string) => SignInFailuresTexts> = {
  en: (supportEmail) => ({
    subject: `Many failed attempts to log in to your ${PRODUCT} account`,
    preheader: 'Someone is trying passwords. None of them was right.',
    heading: 'Someone is trying to log in to your account',
    what: `In the last hour, many attempts to log in to your ${PRODUCT} account failed because the password was wrong.`,
    state: 'None of them succeeded, and your account isn’t locked: you can log in as usual.',
    yours: 'If it was you and you don’t remember your password, choose a new one.',
    advice: `If it wasn’t you, there’s nothing you need to do, as long as you don’t use this password anywhere else. If you do, choose a new one now. Questions? Write to ${supportEmail}.`,
    button: 'Choose a new password',
    reason: `You’re receiving this email because of the failed attempts to log in to your ${PRODUCT} account. We send it at most once a day.`,
  }),
  'fr-CA': (supportEmail) => ({
    subject: `De nombreuses tentatives de connexion à votre compte ${PRODUCT} ont échoué`,
    preheader: 'Quelqu’un essaie des mots de passe. Aucun n’était le bon.',
    heading: 'Quelqu’un essaie de se connecter à votre compte',
    what: `Au cours de la dernière heure, de nombreuses tentatives de connexion à votre compte ${PRODUCT} ont échoué parce que le mot de passe était erroné.`,
    state: 'Aucune n’a réussi, et votre compte n’est pas bloqué : vous pouvez vous connecter comme d’habitude.',
    yours: 'Si c’était vous et que vous avez oublié votre mot de passe, choisissez-en un nouveau.',
    advice: `Si ce n’était pas vous, vous n’avez rien à faire, pourvu que vous n’utilisiez ce mot de passe nulle part ailleurs. Sinon, choisissez-en un nouveau dès maintenant. Des questions? Écrivez à ${supportEmail}.`,
    button: 'Choisir un nouveau mot de passe',
    reason: `Vous recevez ce courriel en raison de tentatives de connexion infructueuses à votre compte ${PRODUCT}. Nous l’envoyons au plus une fois par jour.`,
  }),
}

/** Queues the email to the owner of an account at which passwords are tried. Afterwards: `outbox.wake()`. */
export const queueSignInFailuresMail = (db: Db, userId: string): Promise<void> =>
  queueMail(db, { kind: 'sign_in_failures', refId: newId(), recipientId: userId })

/** Renders the email about failed sign-ins. Its button leads to a page; opening it changes nothing. */
export const renderSignInFailures: RenderMail = async ({ config }, { locale }) => {
  const { what, state, yours, advice, button, ...rest } = TEXTS[locale](config.SUPPORT_EMAIL)
  return {
    ...rest,
    blocks: [
      { kind: 'text', text: what },
      { kind: 'text', text: state },
      { kind: 'text', text: yours },
      { kind: 'text', text: advice },
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.forgotPassword(), locale) },
    ],
  }
}
