import { randomInt } from 'node:crypto'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { Config } from '../config.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import type { MailBlock, RenderMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { queueMail } from '../email/outbox.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { HOUR_S, MINUTE_S } from '../time.ts'
import { undoBlocks } from './account-link-mail.ts'
import { findYoungFactorTime } from './factor-queries.ts'
import { findLinkRequest, insertLinkToken, type LinkPurpose, replaceCode, replaceLinkRequest } from './link-queries.ts'
import { generateSecret, hashSecret } from './tokens.ts'

/** How long a code works; the link beside it works longer, as it cannot be guessed. */
export const CODE_TTL_S = 10 * MINUTE_S

type LinkMailTexts = Record<'subject' | 'preheader' | 'heading' | 'text' | 'button' | 'note' | 'reason', string>

/** Formats a duration: "15 minutes", "24 hours". */
function formatDuration(seconds: number, locale: Locale): string {
  const inHours = seconds >= HOUR_S && seconds % HOUR_S === 0
  const count = inHours ? seconds / HOUR_S : Math.round(seconds / MINUTE_S)
  const unit = { en: inHours ? 'hour' : 'minute', 'fr-CA': inHours ? 'heure' : 'minute' }[locale]
  return `${count} ${unit}${count > 1 ? 's' : ''}`
}

/** Says how long the code and the button of an email work, and what to do with neither. */
const codeNote = (linkTtlS: number, locale: Locale): string => {
  const [code, link] = [formatDuration(CODE_TTL_S, locale), formatDuration(linkTtlS, locale)]
  return {
    en: `The code works for ${code}, the button for ${link}, and only once. Nobody from ${PRODUCT} will ever ask you for it: don’t pass it on.`,
    'fr-CA': `Le code fonctionne pendant ${code}, le bouton pendant ${link}, et une seule fois. Personne chez ${PRODUCT} ne vous le demandera jamais : ne le transmettez à personne.`,
  }[locale]
}

/** Nothing in these texts comes from the person who requested the email, who may be a stranger. */
const TEXTS: Record<LinkPurpose, Record<Locale, (ttlS: number, code: string) => LinkMailTexts>> = {
  signup: {
    en: (ttlS, code) => ({
      subject: `${code} is your ${PRODUCT} code`,
      preheader: 'Enter it where you signed up, and your account is ready.',
      heading: 'Confirm your email address',
      text: `Someone signed up for ${PRODUCT} with this address. If that was you, enter this code on the page where you signed up, or use the button.`,
      button: 'Confirm my email address',
      note: `${codeNote(ttlS, 'en')} If you didn’t sign up, you can ignore this email: no account will be created.`,
      reason: `You’re receiving this email because this address was entered in the ${PRODUCT} sign-up form.`,
    }),
    'fr-CA': (ttlS, code) => ({
      subject: `${code} est votre code ${PRODUCT}`,
      preheader: 'Saisissez-le dans la page d’inscription, et votre compte est prêt.',
      heading: 'Confirmez votre adresse courriel',
      text: `Quelqu’un s’est inscrit à ${PRODUCT} avec cette adresse. Si c’était vous, saisissez ce code dans la page d’inscription, ou utilisez le bouton.`,
      button: 'Confirmer mon adresse courriel',
      note: `${codeNote(ttlS, 'fr-CA')} Si ce n’était pas vous, ignorez ce courriel : aucun compte ne sera créé.`,
      reason: `Vous recevez ce courriel parce que cette adresse a été saisie dans le formulaire d’inscription de ${PRODUCT}.`,
    }),
  },
  magiclink: {
    en: (ttlS, code) => ({
      subject: `${code} is your ${PRODUCT} code`,
      preheader: 'Enter it on the page that asks for it.',
      heading: 'Your code',
      text: 'Enter it on the page that asks for it, or use the button. It logs you in without a password.',
      button: `Log in to ${PRODUCT}`,
      note: `${codeNote(ttlS, 'en')} If you didn’t request it, you can ignore this email.`,
      reason: `You’re receiving this email because a code to log in to ${PRODUCT} was requested for this address.`,
    }),
    'fr-CA': (ttlS, code) => ({
      subject: `${code} est votre code ${PRODUCT}`,
      preheader: 'Saisissez-le dans la page qui le demande.',
      heading: 'Votre code',
      text: 'Saisissez-le dans la page qui le demande, ou utilisez le bouton. Il vous connecte sans mot de passe.',
      button: `Se connecter à ${PRODUCT}`,
      note: `${codeNote(ttlS, 'fr-CA')} Si vous ne l’avez pas demandé, ignorez ce courriel.`,
      reason: `Vous recevez ce courriel parce qu’un code de connexion à ${PRODUCT} a été demandé pour cette adresse.`,
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

/** For the email to choose a new password while the account has a second step that its mailbox can still remove. */
const YOUNG_FACTOR_NOTE: Record<Locale, (when: string) => string> = {
  en: (when) => `You’ll be asked for your second step. One was added to your account on ${when}.`,
  'fr-CA': (when) =>
    `Votre deuxième étape vous sera demandée. Une deuxième étape a été ajoutée à votre compte le ${when}.`,
}

/** Returns the page a link of this purpose leads to when the request names none, or one that is not allowed. */
export const getDefaultRedirect = (
  purpose: LinkPurpose,
  locale: Locale,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
): string => PUBLIC_URL + localizedPath(purpose === 'recovery' ? paths.resetPassword() : paths.verifyEmail(), locale)

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

export const hashAddress = (keyring: Keyring, email: string): Buffer => keyedHash(keyring, 'code address', email)
export const hashCode = (keyring: Keyring, requestId: string, code: string): Buffer =>
  keyedHash(keyring, 'code', `${requestId} ${code}`)

/**
 * Generates the six digits for an email that is about to be sent, in place of any older ones of the address. Only their keyed
 * hash is stored.
 */
async function generateCode(db: Db, keyring: Keyring, { id, email }: { id: string; email: string }): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await replaceCode(db, hashAddress(keyring, email), hashCode(keyring, id, code), id, CODE_TTL_S)
  return code
}

/**
 * Renders the email with a link, and with a code for who signs in. Both are generated here, just before the email is sent, and
 * only hashes are stored: neither the queue nor a backup can sign anybody in. A retry generates others; using either link consumes
 * both, and only the newest code works. It is first in the subject, where a phone shows it without opening the mail.
 */
export const renderAuthLink: RenderMail = async (context, { id: mailId, refId, recipientId, locale }) => {
  const { config, db, keyring } = context
  const request = await findLinkRequest(db, refId)
  if (!request) return null
  const { purpose, redirect_to, sign_up_count } = request
  const ttlS = purpose === 'signup' ? config.AUTH_SIGNUP_LINK_S : config.AUTH_RECOVERY_LINK_S
  const token = generateSecret()
  if (!(await insertLinkToken(db, hashSecret(token), request.id, ttlS))) return null
  const code = purpose === 'recovery' ? null : await generateCode(db, keyring, request)
  const query = new URLSearchParams({ token, type: purpose, redirect_to })
  const { text, button, note, ...rest } = TEXTS[purpose][locale](ttlS, code ?? '')
  const texts = purpose === 'signup' && sign_up_count > 1 ? [text, SEVERAL_SIGN_UPS_NOTE[locale]] : [text]
  const addedAt = purpose === 'recovery' ? await findYoungFactorTime(db, recipientId) : undefined
  const undo: MailBlock[] = addedAt
    ? [
        YOUNG_FACTOR_NOTE[locale](formatMailTime(addedAt, locale)),
        ...(await undoBlocks(context, { mailId, userId: recipientId, locale })),
      ]
    : []
  return {
    ...rest,
    blocks: [
      code !== null && { code },
      ...texts,
      { button, to: `${config.PUBLIC_URL}/auth/v1/verify?${query.toString()}` },
      { note },
      ...undo,
    ],
  }
}
