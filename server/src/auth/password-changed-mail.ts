import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import type { RenderMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { queueMail } from '../email/outbox.ts'

type PasswordChangedTexts = Record<
  'subject' | 'preheader' | 'heading' | 'what' | 'devices' | 'yours' | 'notYours' | 'button' | 'reason',
  string
>

const TEXTS: Record<Locale, (when: string, supportEmail: string) => PasswordChangedTexts> = {
  en: (when, supportEmail) => ({
    subject: `Your ${PRODUCT} password was changed`,
    preheader: 'If this wasn’t you, act now.',
    heading: 'Your password was changed',
    what: `The password for your ${PRODUCT} account was changed on ${when}.`,
    devices: 'Every other device that was signed in to your account has been signed out.',
    yours: 'If this was you, there’s nothing you need to do.',
    notYours: `If this wasn’t you, someone else may have access to your account. Choose a new password now. We’ll email you a link, and anyone who’s signed in will be signed out. Then write to ${supportEmail}.`,
    button: 'Reset my password',
    reason: `You’re receiving this email because the password for your ${PRODUCT} account was changed.`,
  }),
  'fr-CA': (when, supportEmail) => ({
    subject: `Votre mot de passe ${PRODUCT} a été modifié`,
    preheader: 'Si ce n’était pas vous, agissez maintenant.',
    heading: 'Votre mot de passe a été modifié',
    what: `Le mot de passe de votre compte ${PRODUCT} a été modifié le ${when}.`,
    devices: 'Tous les autres appareils connectés à votre compte ont été déconnectés.',
    yours: 'Si c’était vous, vous n’avez rien à faire.',
    notYours: `Si ce n’était pas vous, quelqu’un d’autre a peut-être accès à votre compte. Choisissez un nouveau mot de passe dès maintenant : nous vous enverrons un lien à cette fin, et toute personne connectée sera déconnectée. Écrivez ensuite à ${supportEmail}.`,
    button: 'Réinitialiser mon mot de passe',
    reason: `Vous recevez ce courriel parce que le mot de passe de votre compte ${PRODUCT} a été modifié.`,
  }),
}

/** Queues the email in the transaction of the change; each change has its own. After the commit: `outbox.wake()`. */
export const queuePasswordChangedMail = (tx: Db, userId: string): Promise<void> =>
  queueMail(tx, {
    kind: 'password_changed',
    refId: newId(),
    recipientId: userId,
    data: { changed_at: new Date().toISOString() },
  })

/** Renders the email about a changed password. Its button leads to a page; opening it changes nothing. */
export const renderPasswordChanged: RenderMail = async ({ config }, { locale, data }) => {
  const { changed_at = '' } = data
  const texts = TEXTS[locale](formatMailTime(changed_at, locale), config.SUPPORT_EMAIL)
  const { what, devices, yours, notYours, button, ...rest } = texts
  return {
    ...rest,
    blocks: [
      { kind: 'text', text: what },
      { kind: 'text', text: devices },
      { kind: 'text', text: yours },
      { kind: 'text', text: notYours },
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.forgotPassword(), locale) },
    ],
  }
}
