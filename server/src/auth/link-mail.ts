import type { Locale } from '#contract/product.ts'
import { PRODUCT } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import type { MailContent, RenderMail } from '../email/mail-content.ts'
import { queueMail } from '../email/outbox.ts'
import { HOUR_S, MINUTE_S } from '../time.ts'
import { findLinkRequest, insertLinkToken, replaceLinkRequest } from './link-queries.ts'
import type { LinkPurpose } from './redirects.ts'
import { generateSecret, hashSecret } from './tokens.ts'

type LinkMailTexts = Record<'subject' | 'preheader' | 'heading' | 'text' | 'button' | 'note' | 'reason', string>

/** Formats a duration: "15 minutes", "24 hours". */
function formatDuration(seconds: number, locale: Locale): string {
  const inHours = seconds >= HOUR_S && seconds % HOUR_S === 0
  const count = inHours ? seconds / HOUR_S : Math.round(seconds / MINUTE_S)
  const unit = { en: inHours ? 'hour' : 'minute', 'fr-CA': inHours ? 'heure' : 'minute' }[locale]
  return `${count} ${unit}${count > 1 ? 's' : ''}`
}

/** Nothing in these texts comes from the person who requested the email, who may be a stranger. */
const TEXTS: Record<LinkPurpose, Record<Locale, (ttlS: number) => LinkMailTexts>> = {
  signup: {
    en: (ttlS) => ({
      subject: `Confirm your email address for ${PRODUCT}`,
      preheader: 'One click and your account is ready.',
      heading: 'Confirm your email address',
      text: `Someone signed up for ${PRODUCT} with this address. If that was you, please confirm it.`,
      button: 'Confirm my email address',
      note: `The link works once, for ${formatDuration(ttlS, 'en')}. If you didn’t sign up, you can ignore this email: no account will be created.`,
      reason: `You’re receiving this email because this address was entered in the ${PRODUCT} sign-up form.`,
    }),
    'fr-CA': (ttlS) => ({
      subject: `Confirmez votre adresse courriel pour ${PRODUCT}`,
      preheader: 'Un clic, et votre compte est prêt.',
      heading: 'Confirmez votre adresse courriel',
      text: `Quelqu’un s’est inscrit à ${PRODUCT} avec cette adresse. Si c’était vous, veuillez la confirmer.`,
      button: 'Confirmer mon adresse courriel',
      note: `Le lien fonctionne une seule fois, pendant ${formatDuration(ttlS, 'fr-CA')}. Si ce n’était pas vous, ignorez ce courriel : aucun compte ne sera créé.`,
      reason: `Vous recevez ce courriel parce que cette adresse a été saisie dans le formulaire d’inscription de ${PRODUCT}.`,
    }),
  },
  magiclink: {
    en: (ttlS) => ({
      subject: `Your login link for ${PRODUCT}`,
      preheader: 'Use it to log in without a password.',
      heading: 'Log in',
      text: 'Here’s the link you requested. It logs you in without a password.',
      button: `Log in to ${PRODUCT}`,
      note: `The link works once, for ${formatDuration(ttlS, 'en')}. Don’t pass it on. If you didn’t request it, you can ignore this email.`,
      reason: `You’re receiving this email because a login link for your ${PRODUCT} account was requested.`,
    }),
    'fr-CA': (ttlS) => ({
      subject: `Votre lien de connexion à ${PRODUCT}`,
      preheader: 'Utilisez-le pour vous connecter sans mot de passe.',
      heading: 'Se connecter',
      text: 'Voici le lien que vous avez demandé. Il vous connecte sans mot de passe.',
      button: `Se connecter à ${PRODUCT}`,
      note: `Le lien fonctionne une seule fois, pendant ${formatDuration(ttlS, 'fr-CA')}. Ne le transmettez à personne. Si vous ne l’avez pas demandé, ignorez ce courriel.`,
      reason: `Vous recevez ce courriel parce qu’un lien de connexion à votre compte ${PRODUCT} a été demandé.`,
    }),
  },
  recovery: {
    en: (ttlS) => ({
      subject: `Reset your ${PRODUCT} password`,
      preheader: 'Choose a new password.',
      heading: 'Reset your password',
      text: 'Here’s the link you requested. Use it to choose a new password.',
      button: 'Choose a new password',
      note: `The link works once, for ${formatDuration(ttlS, 'en')}. If you didn’t request it, you can ignore this email: your password won’t change.`,
      reason: `You’re receiving this email because a password reset for your ${PRODUCT} account was requested.`,
    }),
    'fr-CA': (ttlS) => ({
      subject: `Réinitialisez votre mot de passe ${PRODUCT}`,
      preheader: 'Choisissez un nouveau mot de passe.',
      heading: 'Réinitialisez votre mot de passe',
      text: 'Voici le lien que vous avez demandé. Il vous permet de choisir un nouveau mot de passe.',
      button: 'Choisir un nouveau mot de passe',
      note: `Le lien fonctionne une seule fois, pendant ${formatDuration(ttlS, 'fr-CA')}. Si vous ne l’avez pas demandé, ignorez ce courriel : votre mot de passe reste le même.`,
      reason: `Vous recevez ce courriel parce qu’une réinitialisation du mot de passe de votre compte ${PRODUCT} a été demandée.`,
    }),
  },
}

/** For the email of one of several sign-ups, some of which may be a stranger's (decision mailed-links). */
const SEVERAL_SIGN_UPS_NOTE: Record<Locale, string> = {
  en: 'This address was entered more than once, perhaps by someone else. Any of the links confirms it; you may then be asked to choose a password.',
  'fr-CA':
    'Cette adresse a été saisie plus d’une fois, peut-être par quelqu’un d’autre. N’importe lequel des liens la confirme; il vous sera peut-être ensuite demandé de choisir un mot de passe.',
}

const toMailContent = (
  { text, button, note, ...rest }: LinkMailTexts,
  extra: string | null,
  url: string,
): MailContent => ({
  ...rest,
  blocks: [
    { kind: 'text', text },
    ...(extra === null ? [] : [{ kind: 'text' as const, text: extra }]),
    { kind: 'button', label: button, url },
    { kind: 'note', text: note },
  ],
})

/** Queues an email with a link, in a transaction that has locked the account. After the commit: `outbox.wake()`. */
export async function queueLinkMail(
  tx: Db,
  userId: string,
  purpose: LinkPurpose,
  signUpId: string | null,
  redirectTo: string,
) {
  const id = newId()
  await replaceLinkRequest(tx, { id, user_id: userId, purpose, sign_up_id: signUpId, redirect_to: redirectTo })
  await queueMail(tx, { kind: 'auth_link', refId: id, recipientId: userId })
}

/**
 * Renders the email with a link. Its token is generated here, just before the email is sent, and only the hash is
 * stored: neither the queue nor a backup can sign anybody in. A retry generates another; using either consumes both.
 */
export const renderAuthLink: RenderMail = async ({ config, db }, { refId, locale }) => {
  const request = await findLinkRequest(db, refId)
  if (!request) return null
  const { purpose, redirect_to, sign_up_count } = request
  const ttlS = purpose === 'signup' ? config.AUTH_SIGNUP_LINK_S : config.AUTH_RECOVERY_LINK_S
  const token = generateSecret()
  if (!(await insertLinkToken(db, hashSecret(token), request.id, ttlS))) return null
  const query = new URLSearchParams({ token, type: purpose, redirect_to })
  const extra = purpose === 'signup' && sign_up_count > 1 ? SEVERAL_SIGN_UPS_NOTE[locale] : null
  return toMailContent(TEXTS[purpose][locale](ttlS), extra, `${config.PUBLIC_URL}/auth/v1/verify?${query.toString()}`)
}
