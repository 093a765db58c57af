import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import type { RenderMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { queueMail } from '../email/outbox.ts'

type Texts = Record<'subject' | 'preheader' | 'heading' | 'button' | 'reason', string> & { paragraphs: string[] }

type TextsOfLocale = Record<Locale, (when: string, supportEmail: string) => Texts>

const CHANGED: TextsOfLocale = {
  en: (when, supportEmail) => ({
    subject: `Your ${PRODUCT} account has a new password`,
    preheader: 'If this wasn’t you, act now.',
    heading: 'Your account has a new password',
    paragraphs: [
      `A new password was set for your ${PRODUCT} account on ${when}.`,
      'Every other device that was signed in to your account has been signed out.',
      'If this was you, there’s nothing you need to do.',
      `If this wasn’t you, someone else may have access to your account. Choose a new password now. We’ll email you a link, and anyone who’s signed in will be signed out. Then write to ${supportEmail}.`,
    ],
    button: 'Reset my password',
    reason: `You’re receiving this email because a new password was set for your ${PRODUCT} account.`,
  }),
  'fr-CA': (when, supportEmail) => ({
    subject: `Votre compte ${PRODUCT} a un nouveau mot de passe`,
    preheader: 'Si ce n’était pas vous, agissez maintenant.',
    heading: 'Votre compte a un nouveau mot de passe',
    paragraphs: [
      `Un nouveau mot de passe a été choisi pour votre compte ${PRODUCT} le ${when}.`,
      'Tous les autres appareils connectés à votre compte ont été déconnectés.',
      'Si c’était vous, vous n’avez rien à faire.',
      `Si ce n’était pas vous, quelqu’un d’autre a peut-être accès à votre compte. Choisissez un nouveau mot de passe dès maintenant : nous vous enverrons un lien à cette fin, et toute personne connectée sera déconnectée. Écrivez ensuite à ${supportEmail}.`,
    ],
    button: 'Réinitialiser mon mot de passe',
    reason: `Vous recevez ce courriel parce qu’un nouveau mot de passe a été choisi pour votre compte ${PRODUCT}.`,
  }),
}

/** For a password that somebody else knows, and that whoever runs the server made invalid. */
const RESET: TextsOfLocale = {
  en: (when, supportEmail) => ({
    subject: `Your ${PRODUCT} password no longer works`,
    preheader: 'Choose a new one to log in again.',
    heading: 'Please choose a new password',
    paragraphs: [
      `On ${when} we made the password for your ${PRODUCT} account invalid, because someone else may know it.`,
      'Every device that was signed in to your account has been signed out.',
      'Choose a new password to log in again. We’ll email you a link. Your vehicles and messages are still there.',
      `If you use the old password anywhere else, change it there too. If you have questions, write to ${supportEmail}.`,
    ],
    button: 'Reset my password',
    reason: `You’re receiving this email because the password for your ${PRODUCT} account no longer works.`,
  }),
  'fr-CA': (when, supportEmail) => ({
    subject: `Votre mot de passe ${PRODUCT} ne fonctionne plus`,
    preheader: 'Choisissez-en un nouveau pour vous reconnecter.',
    heading: 'Veuillez choisir un nouveau mot de passe',
    paragraphs: [
      `Le ${when}, nous avons désactivé le mot de passe de votre compte ${PRODUCT}, car quelqu’un d’autre le connaît peut-être.`,
      'Tous les appareils connectés à votre compte ont été déconnectés.',
      'Choisissez un nouveau mot de passe pour vous reconnecter : nous vous enverrons un lien à cette fin. Vos véhicules et vos messages sont toujours là.',
      `Si vous utilisez l’ancien mot de passe ailleurs, changez-le là aussi. Si vous avez des questions, écrivez à ${supportEmail}.`,
    ],
    button: 'Réinitialiser mon mot de passe',
    reason: `Vous recevez ce courriel parce que le mot de passe de votre compte ${PRODUCT} ne fonctionne plus.`,
  }),
}

type PasswordChange = 'changed' | 'reset'

const queue = (tx: Db, userId: string, change: PasswordChange): Promise<void> =>
  queueMail(tx, {
    kind: 'password_changed',
    refId: newId(),
    recipientId: userId,
    data: { change, changed_at: new Date().toISOString() },
  })

/** Queues the email in the transaction of the change; each change has its own. After the commit: `outbox.wake()`. */
export const queuePasswordChangedMail = (tx: Db, userId: string): Promise<void> => queue(tx, userId, 'changed')

/** Queues the email about a password that no longer works, in the transaction that made it invalid. */
export const queuePasswordResetMail = (tx: Db, userId: string): Promise<void> => queue(tx, userId, 'reset')

const TEXTS: Record<PasswordChange, TextsOfLocale> = { changed: CHANGED, reset: RESET }

/** Renders the email about a changed password. Its button leads to a page; opening it changes nothing. */
export const renderPasswordChanged: RenderMail = async ({ config }, { locale, data }) => {
  // an email that was queued by an older release names no change
  const change: PasswordChange = data['change'] === 'reset' ? 'reset' : 'changed'
  const when = formatMailTime(data['changed_at'] ?? '', locale)
  const { paragraphs, button, ...rest } = TEXTS[change][locale](when, config.SUPPORT_EMAIL)
  return {
    ...rest,
    blocks: [
      ...paragraphs.map((text) => ({ kind: 'text' as const, text })),
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.forgotPassword(), locale) },
    ],
  }
}
