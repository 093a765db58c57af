import { paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import type { MailBlock, RenderMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { queueMail } from '../email/outbox.ts'
import { undoBlocks } from './account-link-mail.ts'

// The emails that tell the person of an account what was done with it, perhaps by somebody else.

type NoticeKind = 'password_changed' | 'factor_changed' | 'session_stolen' | 'sign_in_failures' | 'new_sign_in'

/**
 * What happened to a password or a second step. Whoever runs the server makes a password `reset` that somebody else knows, and second
 * steps `lost` that a person has lost.
 */
type Change = 'changed' | 'reset' | 'added' | 'removed' | 'lost'
type Notice = Change | 'session_stolen' | 'sign_in_failures' | 'new_sign_in'

type Texts = Record<'subject' | 'preheader' | 'heading' | 'reason', string> & {
  paragraphs: string[]
  /** Leads to a new password; without it the email ends with a link that undoes what happened, and says that it undoes … */
  button?: string
  /** … this too. */
  thisToo?: string
}

type Facts = { when: string; device: string | undefined; support: string }

const RESET: Record<Locale, string> = { en: 'Choose a new password', 'fr-CA': 'Choisir un nouveau mot de passe' }

const EN = ({ when, device, support }: Facts): Record<Notice, Texts> => ({
  changed: {
    subject: `Your ${PRODUCT} account has a new password`,
    preheader: 'If this wasn’t you, act now.',
    heading: 'Your account has a new password',
    paragraphs: [
      `A new password was set for your ${PRODUCT} account on ${when}.`,
      'Every other device that was signed in to your account has been signed out.',
      'If this was you, there’s nothing you need to do.',
    ],
    reason: `You’re receiving this email because a new password was set for your ${PRODUCT} account.`,
  },
  reset: {
    subject: `Your ${PRODUCT} password no longer works`,
    preheader: 'Choose a new one to log in again.',
    heading: 'Please choose a new password',
    paragraphs: [
      `On ${when} we made the password for your ${PRODUCT} account invalid, because someone else may know it.`,
      'Every device that was signed in to your account has been signed out.',
      'Choose a new password to log in again. We’ll email you a link. Your vehicles and messages are still there.',
      `If you use the old password anywhere else, change it there too. If you have questions, write to ${support}.`,
    ],
    button: RESET.en,
    reason: `You’re receiving this email because the password for your ${PRODUCT} account no longer works.`,
  },
  added: {
    subject: `Two-step verification was added to your ${PRODUCT} account`,
    preheader: 'If this wasn’t you, act now.',
    heading: 'A second step was added',
    paragraphs: [
      `A second login step was added to your ${PRODUCT} account on ${when}.`,
      'From now on, logging in also takes this second step.',
    ],
    reason: `You’re receiving this email because two-step verification for your ${PRODUCT} account was changed.`,
  },
  removed: {
    subject: `Two-step verification for your ${PRODUCT} account was changed`,
    preheader: 'If this wasn’t you, act now.',
    heading: 'A second step was removed',
    paragraphs: [
      `A second login step was removed from your ${PRODUCT} account on ${when}.`,
      'Without any second step, your password or a code by email alone opens your account.',
    ],
    thisToo: 'The second step comes back. ',
    reason: `You’re receiving this email because two-step verification for your ${PRODUCT} account was changed.`,
  },
  lost: {
    subject: `Two-step verification was removed from your ${PRODUCT} account`,
    preheader: 'If you didn’t ask us for this, act now.',
    heading: 'Your second steps were removed',
    paragraphs: [
      `On ${when} we removed every second step from your ${PRODUCT} account, because we were told that you’d lost them. Every device that was signed in has been signed out.`,
      'Log in with your password or a code by email, and add a second step again.',
      `If you didn’t ask for this, choose a new password now. We’ll email you a link. Then write to ${support}.`,
    ],
    button: RESET.en,
    reason: `You’re receiving this email because two-step verification for your ${PRODUCT} account was changed.`,
  },
  session_stolen: {
    subject: `We signed a device out of your ${PRODUCT} account`,
    preheader: 'Someone may have copied its session.',
    heading: 'A device was signed out',
    paragraphs: [
      `On ${when} we signed one of your devices out of your ${PRODUCT} account: its session was used in two places, so someone may have copied it. Neither place is signed in anymore.`,
      'On your own device, simply log in again. Your other devices stay signed in, and your password still works.',
      `If you lost a device, or have no idea how this could happen, choose a new password: that signs out every device. If anything in your account isn’t as you left it, write to ${support}.`,
    ],
    button: RESET.en,
    reason: `You’re receiving this email because a session of your ${PRODUCT} account was ended for your safety.`,
  },
  sign_in_failures: {
    subject: `Many failed attempts to log in to your ${PRODUCT} account`,
    preheader: 'Someone is trying passwords. None of them was right.',
    heading: 'Someone is trying to log in to your account',
    paragraphs: [
      `In the last hour, many attempts to log in to your ${PRODUCT} account failed because the password was wrong.`,
      'None of them succeeded, and your account isn’t locked: you can log in as usual.',
      'If it was you and you don’t remember your password, choose a new one.',
      `If it wasn’t you, there’s nothing you need to do, as long as you don’t use this password anywhere else. If you do, choose a new one now. Questions? Write to ${support}.`,
    ],
    button: RESET.en,
    reason: `You’re receiving this email because of the failed attempts to log in to your ${PRODUCT} account. We send it at most once a day.`,
  },
  new_sign_in: {
    subject: `New login to your ${PRODUCT} account`,
    preheader: 'If this wasn’t you, act now.',
    heading: 'A new login',
    paragraphs: [
      `Someone logged in to your ${PRODUCT} account on ${when}, from a device or network we hadn’t seen before${device ? ` (${device})` : ''}.`,
      'If this was you, there’s nothing you need to do.',
    ],
    reason: `You’re receiving this email because someone logged in to your ${PRODUCT} account.`,
  },
})

const FR = ({ when, device, support }: Facts): Record<Notice, Texts> => ({
  changed: {
    subject: `Votre compte ${PRODUCT} a un nouveau mot de passe`,
    preheader: 'Si ce n’était pas vous, agissez maintenant.',
    heading: 'Votre compte a un nouveau mot de passe',
    paragraphs: [
      `Un nouveau mot de passe a été choisi pour votre compte ${PRODUCT} le ${when}.`,
      'Tous les autres appareils connectés à votre compte ont été déconnectés.',
      'Si c’était vous, vous n’avez rien à faire.',
    ],
    reason: `Vous recevez ce courriel parce qu’un nouveau mot de passe a été choisi pour votre compte ${PRODUCT}.`,
  },
  reset: {
    subject: `Votre mot de passe ${PRODUCT} ne fonctionne plus`,
    preheader: 'Choisissez-en un nouveau pour vous reconnecter.',
    heading: 'Veuillez choisir un nouveau mot de passe',
    paragraphs: [
      `Le ${when}, nous avons désactivé le mot de passe de votre compte ${PRODUCT}, car quelqu’un d’autre le connaît peut-être.`,
      'Tous les appareils connectés à votre compte ont été déconnectés.',
      'Choisissez un nouveau mot de passe pour vous reconnecter : nous vous enverrons un lien à cette fin. Vos véhicules et vos messages sont toujours là.',
      `Si vous utilisez l’ancien mot de passe ailleurs, changez-le là aussi. Si vous avez des questions, écrivez à ${support}.`,
    ],
    button: RESET['fr-CA'],
    reason: `Vous recevez ce courriel parce que le mot de passe de votre compte ${PRODUCT} ne fonctionne plus.`,
  },
  added: {
    subject: `La validation en deux étapes a été ajoutée à votre compte ${PRODUCT}`,
    preheader: 'Si ce n’était pas vous, agissez maintenant.',
    heading: 'Une deuxième étape a été ajoutée',
    paragraphs: [
      `Une deuxième étape de connexion a été ajoutée à votre compte ${PRODUCT} le ${when}.`,
      'Désormais, la connexion demande aussi cette deuxième étape.',
    ],
    reason: `Vous recevez ce courriel parce que la validation en deux étapes de votre compte ${PRODUCT} a été modifiée.`,
  },
  removed: {
    subject: `La validation en deux étapes de votre compte ${PRODUCT} a été modifiée`,
    preheader: 'Si ce n’était pas vous, agissez maintenant.',
    heading: 'Une deuxième étape a été retirée',
    paragraphs: [
      `Une deuxième étape de connexion a été retirée de votre compte ${PRODUCT} le ${when}.`,
      'Sans aucune deuxième étape, votre mot de passe ou un code reçu par courriel suffit pour ouvrir votre compte.',
    ],
    thisToo: 'La deuxième étape est rétablie. ',
    reason: `Vous recevez ce courriel parce que la validation en deux étapes de votre compte ${PRODUCT} a été modifiée.`,
  },
  lost: {
    subject: `La validation en deux étapes a été retirée de votre compte ${PRODUCT}`,
    preheader: 'Si vous ne nous l’avez pas demandé, agissez maintenant.',
    heading: 'Vos deuxièmes étapes ont été retirées',
    paragraphs: [
      `Le ${when}, nous avons retiré toutes les deuxièmes étapes de votre compte ${PRODUCT}, car on nous a dit que vous les aviez perdues. Tous les appareils connectés ont été déconnectés.`,
      'Connectez-vous avec votre mot de passe ou un code reçu par courriel, et ajoutez de nouveau une deuxième étape.',
      `Si vous ne l’avez pas demandé, choisissez un nouveau mot de passe dès maintenant : nous vous enverrons un lien à cette fin. Écrivez ensuite à ${support}.`,
    ],
    button: RESET['fr-CA'],
    reason: `Vous recevez ce courriel parce que la validation en deux étapes de votre compte ${PRODUCT} a été modifiée.`,
  },
  session_stolen: {
    subject: `Nous avons déconnecté un appareil de votre compte ${PRODUCT}`,
    preheader: 'Quelqu’un a peut-être copié sa session.',
    heading: 'Un appareil a été déconnecté',
    paragraphs: [
      `Le ${when}, nous avons déconnecté un de vos appareils de votre compte ${PRODUCT} : sa session servait à deux endroits, et quelqu’un l’a donc peut-être copiée. Aucun des deux n’est plus connecté.`,
      'Sur votre propre appareil, il vous suffit de vous reconnecter. Vos autres appareils restent connectés, et votre mot de passe fonctionne toujours.',
      `Si vous avez perdu un appareil, ou si vous ne savez pas comment cela a pu arriver, choisissez un nouveau mot de passe : tous vos appareils seront alors déconnectés. Si quelque chose a changé dans votre compte à votre insu, écrivez à ${support}.`,
    ],
    button: RESET['fr-CA'],
    reason: `Vous recevez ce courriel parce qu’une session de votre compte ${PRODUCT} a été fermée pour votre sécurité.`,
  },
  sign_in_failures: {
    subject: `De nombreuses tentatives de connexion à votre compte ${PRODUCT} ont échoué`,
    preheader: 'Quelqu’un essaie des mots de passe. Aucun n’était le bon.',
    heading: 'Quelqu’un essaie de se connecter à votre compte',
    paragraphs: [
      `Au cours de la dernière heure, de nombreuses tentatives de connexion à votre compte ${PRODUCT} ont échoué parce que le mot de passe était erroné.`,
      'Aucune n’a réussi, et votre compte n’est pas bloqué : vous pouvez vous connecter comme d’habitude.',
      'Si c’était vous et que vous avez oublié votre mot de passe, choisissez-en un nouveau.',
      `Si ce n’était pas vous, vous n’avez rien à faire, pourvu que vous n’utilisiez ce mot de passe nulle part ailleurs. Sinon, choisissez-en un nouveau dès maintenant. Des questions? Écrivez à ${support}.`,
    ],
    button: RESET['fr-CA'],
    reason: `Vous recevez ce courriel en raison de tentatives de connexion infructueuses à votre compte ${PRODUCT}. Nous l’envoyons au plus une fois par jour.`,
  },
  new_sign_in: {
    subject: `Nouvelle connexion à votre compte ${PRODUCT}`,
    preheader: 'Si ce n’était pas vous, agissez maintenant.',
    heading: 'Une nouvelle connexion',
    paragraphs: [
      `Quelqu’un s’est connecté à votre compte ${PRODUCT} le ${when}, depuis un appareil ou un réseau que nous n’avions encore jamais vu${device ? ` (${device})` : ''}.`,
      'Si c’était vous, vous n’avez rien à faire.',
    ],
    reason: `Vous recevez ce courriel parce que quelqu’un s’est connecté à votre compte ${PRODUCT}.`,
  },
})

const TEXTS: Record<Locale, typeof EN> = { en: EN, 'fr-CA': FR }
/** Queues a notice, in the transaction of what it is about; each has its own. After the commit: `outbox.wake()`. */
export const queueNotice = (
  tx: Db,
  userId: string,
  kind: NoticeKind,
  data: { change?: Change; device?: string } = {},
  refId = newId(),
): Promise<void> => queueMail(tx, { kind, refId, recipientId: userId, data: { ...data, at: new Date().toISOString() } })

/** Renders a notice. Its button leads to a page; opening it changes nothing. */
export const renderNotice: RenderMail = async (context, { id: mailId, kind, recipientId, locale, data }) => {
  const { at = '', device, change = kind } = data
  const facts = { when: formatMailTime(at, locale), device, support: context.config.SUPPORT_EMAIL }
  const { paragraphs, button, thisToo, ...rest } = TEXTS[locale](facts)[change as Notice]
  const end: MailBlock[] = button
    ? [{ button, to: paths.forgotPassword() }]
    : await undoBlocks(context, { mailId, userId: recipientId, locale }, thisToo)
  return { ...rest, blocks: [...paragraphs, ...end] }
}
