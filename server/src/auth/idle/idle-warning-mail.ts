import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { RenderMail } from '../../email/mail-content.ts'
import { formatMailDay } from '../../email/mail-time.ts'
import { findEndOfAccount } from './idle-queries.ts'

type Texts = Record<
  'subject' | 'preheader' | 'heading' | 'why' | 'end' | 'keep' | 'leave' | 'questions' | 'button' | 'reason',
  string
>

const TEXTS: Record<Locale, (day: string, supportEmail: string) => Texts> = {
  en: (day, supportEmail) => ({
    subject: `Log in to keep your ${PRODUCT} account`,
    preheader: `If nobody logs in by ${day}, we’ll delete it.`,
    heading: 'Do you want to keep your account?',
    why: `Nobody has used your ${PRODUCT} account for at least 23 months. We don’t keep accounts that are no longer used.`,
    end: `If nobody logs in by ${day}, we’ll delete it, with its vehicles and the messages they received. People will no longer be able to reach you by your plate.`,
    keep: 'To keep it, log in once before then. That’s all.',
    leave: 'If you no longer need it, there’s nothing you need to do.',
    questions: `Questions? Write to ${supportEmail}.`,
    button: 'Log in and keep my account',
    reason: `You’re receiving this email because you have a ${PRODUCT} account that hasn’t been used for a long time.`,
  }),
  'fr-CA': (day, supportEmail) => ({
    subject: `Connectez-vous pour garder votre compte ${PRODUCT}`,
    preheader: `Sans connexion d’ici le ${day}, nous le supprimerons.`,
    heading: 'Voulez-vous garder votre compte?',
    why: `Personne n’a utilisé votre compte ${PRODUCT} depuis au moins 23 mois. Nous ne gardons pas les comptes qui ne servent plus.`,
    end: `Si personne ne s’y connecte d’ici le ${day}, nous le supprimerons, avec ses véhicules et les messages qu’ils ont reçus. On ne pourra plus vous joindre grâce à votre plaque.`,
    keep: 'Pour le garder, il suffit de vous connecter une fois d’ici là.',
    leave: 'Si vous n’en avez plus besoin, vous n’avez rien à faire.',
    questions: `Des questions? Écrivez à ${supportEmail}.`,
    button: 'Me connecter et garder mon compte',
    reason: `Vous recevez ce courriel parce que vous avez un compte ${PRODUCT} qui n’a pas servi depuis longtemps.`,
  }),
}

/**
 * Renders the warning that an unused account ends (decision 0116), with the day on which it does. Its button leads to a page:
 * opening it is no use of the account.
 */
export const renderIdleWarning: RenderMail = async ({ db, config }, { refId, recipientId, locale }) => {
  const endsAt = await findEndOfAccount(db, recipientId, refId)
  if (!endsAt) return null
  const { why, end, keep, leave, questions, button, ...rest } = TEXTS[locale](
    formatMailDay(endsAt, locale),
    config.SUPPORT_EMAIL,
  )
  return {
    ...rest,
    blocks: [
      { kind: 'text', text: why },
      { kind: 'text', text: end },
      { kind: 'text', text: keep },
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.login(), locale) },
      { kind: 'text', text: leave },
      { kind: 'text', text: questions },
    ],
  }
}
