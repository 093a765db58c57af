import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { newId } from '../../db/ids.ts'
import type { Db } from '../../db/pool.ts'
import type { RenderMail } from '../../email/mail-content.ts'
import { formatMailTime } from '../../email/mail-time.ts'
import { queueMail } from '../../email/outbox.ts'

type FactorChange = 'added' | 'removed'

/** Queues the email about a second step that was added or removed, in the transaction of the change. */
export const queueFactorMail = (tx: Db, userId: string, change: FactorChange): Promise<void> =>
  queueMail(tx, {
    kind: 'factor_changed',
    refId: newId(),
    recipientId: userId,
    data: { change, changed_at: new Date().toISOString() },
  })

type Texts = Record<'subject' | 'preheader' | 'heading' | 'what' | 'effect' | 'notYours' | 'button' | 'reason', string>

const EN = (when: string, support: string): Record<FactorChange, Texts> => {
  const notYours = `If this wasn’t you, someone else may have access to your account. Choose a new password now, then write to ${support}.`
  return {
    added: {
      subject: `Two-step verification was added to your ${PRODUCT} account`,
      preheader: 'If this wasn’t you, act now.',
      heading: 'A second step was added',
      what: `A second login step was added to your ${PRODUCT} account on ${when}.`,
      effect: 'From now on, logging in takes your password and this second step.',
      notYours,
      button: 'Reset my password',
      reason: `You’re receiving this email because two-step verification for your ${PRODUCT} account was changed.`,
    },
    removed: {
      subject: `Two-step verification for your ${PRODUCT} account was changed`,
      preheader: 'If this wasn’t you, act now.',
      heading: 'A second step was removed',
      what: `A second login step was removed from your ${PRODUCT} account on ${when}.`,
      effect: 'Without any second step, the password alone opens your account.',
      notYours,
      button: 'Reset my password',
      reason: `You’re receiving this email because two-step verification for your ${PRODUCT} account was changed.`,
    },
  }
}

const FR = (when: string, support: string): Record<FactorChange, Texts> => {
  const notYours = `Si ce n’était pas vous, quelqu’un d’autre a peut-être accès à votre compte. Choisissez un nouveau mot de passe dès maintenant, puis écrivez à ${support}.`
  const reason = `Vous recevez ce courriel parce que la validation en deux étapes de votre compte ${PRODUCT} a été modifiée.`
  return {
    added: {
      subject: `La validation en deux étapes a été ajoutée à votre compte ${PRODUCT}`,
      preheader: 'Si ce n’était pas vous, agissez maintenant.',
      heading: 'Une deuxième étape a été ajoutée',
      what: `Une deuxième étape de connexion a été ajoutée à votre compte ${PRODUCT} le ${when}.`,
      effect: 'Désormais, la connexion demande votre mot de passe et cette deuxième étape.',
      notYours,
      button: 'Réinitialiser mon mot de passe',
      reason,
    },
    removed: {
      subject: `La validation en deux étapes de votre compte ${PRODUCT} a été modifiée`,
      preheader: 'Si ce n’était pas vous, agissez maintenant.',
      heading: 'Une deuxième étape a été retirée',
      what: `Une deuxième étape de connexion a été retirée de votre compte ${PRODUCT} le ${when}.`,
      effect: 'Sans aucune deuxième étape, le mot de passe suffit pour ouvrir votre compte.',
      notYours,
      button: 'Réinitialiser mon mot de passe',
      reason,
    },
  }
}

const TEXTS: Record<Locale, typeof EN> = { en: EN, 'fr-CA': FR }

/** Renders the email about a second step. Its button leads to a page; opening it changes nothing. */
export const renderFactorChanged: RenderMail = async ({ config }, { locale, data }) => {
  const change: FactorChange = data['change'] === 'removed' ? 'removed' : 'added'
  const when = formatMailTime(data['changed_at'] ?? '', locale)
  const { what, effect, notYours, button, ...rest } = TEXTS[locale](when, config.SUPPORT_EMAIL)[change]
  return {
    ...rest,
    blocks: [
      { kind: 'text', text: what },
      { kind: 'text', text: effect },
      { kind: 'text', text: notYours },
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.forgotPassword(), locale) },
    ],
  }
}
