import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { newId } from '../../db/ids.ts'
import type { Db } from '../../db/pool.ts'
import type { RenderMail } from '../../email/mail-content.ts'
import { formatMailTime } from '../../email/mail-time.ts'
import { queueMail } from '../../email/outbox.ts'
import type { Keyring } from '../../encryption/envelope-encryption.ts'
import { findSessionStart, insertSessionStart } from './event-queries.ts'
import { toOrigin } from './record-event.ts'

type Texts = Record<'subject' | 'preheader' | 'heading' | 'what' | 'yours' | 'notYours' | 'button' | 'reason', string>

const TEXTS: Record<Locale, (when: string, device: string | undefined, supportEmail: string) => Texts> = {
  en: (when, device, supportEmail) => ({
    subject: `New login to your ${PRODUCT} account`,
    preheader: 'If this wasn’t you, act now.',
    heading: 'A new login',
    what: `Someone logged in to your ${PRODUCT} account on ${when}, from a device or network we hadn’t seen before${device ? ` (${device})` : ''}.`,
    yours: 'If this was you, there’s nothing you need to do.',
    notYours: `If this wasn’t you, choose a new password now. We’ll email you a link, and anyone who’s signed in will be signed out. Then write to ${supportEmail}.`,
    button: 'Reset my password',
    reason: `You’re receiving this email because someone logged in to your ${PRODUCT} account.`,
  }),
  'fr-CA': (when, device, supportEmail) => ({
    subject: `Nouvelle connexion à votre compte ${PRODUCT}`,
    preheader: 'Si ce n’était pas vous, agissez maintenant.',
    heading: 'Une nouvelle connexion',
    what: `Quelqu’un s’est connecté à votre compte ${PRODUCT} le ${when}, depuis un appareil ou un réseau que nous n’avions encore jamais vu${device ? ` (${device})` : ''}.`,
    yours: 'Si c’était vous, vous n’avez rien à faire.',
    notYours: `Si ce n’était pas vous, choisissez un nouveau mot de passe dès maintenant : nous vous enverrons un lien à cette fin, et toute personne connectée sera déconnectée. Écrivez ensuite à ${supportEmail}.`,
    button: 'Réinitialiser mon mot de passe',
    reason: `Vous recevez ce courriel parce que quelqu’un s’est connecté à votre compte ${PRODUCT}.`,
  }),
}

/** Queues the email about a sign-in, in the transaction that records it. */
const queueNewSignInMail = (tx: Db, userId: string, device: string | null): Promise<void> =>
  queueMail(tx, {
    kind: 'new_sign_in',
    refId: newId(),
    recipientId: userId,
    data: { at: new Date().toISOString(), ...(device !== null && { device }) },
  })

/** Renders the email about a new sign-in. Its button leads to a page; opening it changes nothing. */
export const renderNewSignIn: RenderMail = async ({ config }, { locale, data }) => {
  const { what, yours, notYours, button, ...rest } = TEXTS[locale](
    formatMailTime(data['at'] ?? '', locale),
    data['device'],
    config.SUPPORT_EMAIL,
  )
  return {
    ...rest,
    blocks: [
      { kind: 'text', text: what },
      { kind: 'text', text: yours },
      { kind: 'text', text: notYours },
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.forgotPassword(), locale) },
    ],
  }
}

/**
 * Records that a session began: with a password, or by the first use of a link. Somebody who signs in from a device or a
 * network not seen before gets an email, because it may be somebody else.
 */
export async function recordSessionStart(
  tx: Db,
  keyring: Keyring,
  sessionId: string,
  type: 'sign_in' | 'link_used',
): Promise<void> {
  const session = await findSessionStart(tx, sessionId)
  if (!session) return // it has ended already
  const origin = toOrigin(keyring, session)
  const userId = session.user_id
  const isNew = await insertSessionStart(tx, { userId, sessionId, type, origin })
  if (isNew) await queueNewSignInMail(tx, userId, origin.device)
}
