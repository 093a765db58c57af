import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'
import type { RenderMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { queueMail } from '../email/outbox.ts'
import { deleteSessions } from './session-queries.ts'

/**
 * Ends a session of which two parties have the tokens, for both of them, and queues the email that notifies its owner. In the
 * transaction that noticed; after the commit: `outbox.wake()`.
 */
export async function endStolenSession(tx: Db, userId: string, sessionId: string): Promise<void> {
  await deleteSessions(tx, userId, sessionId, 'local')
  await queueMail(tx, {
    kind: 'session_stolen',
    refId: sessionId,
    recipientId: userId,
    data: { ended_at: new Date().toISOString() },
  })
}

type StolenSessionTexts = Record<
  'subject' | 'preheader' | 'heading' | 'what' | 'again' | 'unsure' | 'button' | 'reason',
  string
>

const TEXTS: Record<Locale, (when: string, supportEmail: string) => StolenSessionTexts> = {
  en: (when, supportEmail) => ({
    subject: `We signed a device out of your ${PRODUCT} account`,
    preheader: 'Someone may have copied its session.',
    heading: 'A device was signed out',
    what: `On ${when} we signed one of your devices out of your ${PRODUCT} account: its session was used in two places, so someone may have copied it. Neither place is signed in anymore.`,
    again: 'On your own device, simply log in again. Your other devices stay signed in, and your password still works.',
    unsure: `If you lost a device, or have no idea how this could happen, choose a new password: that signs out every device. If anything in your account isn’t as you left it, write to ${supportEmail}.`,
    button: 'Reset my password',
    reason: `You’re receiving this email because a session of your ${PRODUCT} account was ended for your safety.`,
  }),
  'fr-CA': (when, supportEmail) => ({
    subject: `Nous avons déconnecté un appareil de votre compte ${PRODUCT}`,
    preheader: 'Quelqu’un a peut-être copié sa session.',
    heading: 'Un appareil a été déconnecté',
    what: `Le ${when}, nous avons déconnecté un de vos appareils de votre compte ${PRODUCT} : sa session servait à deux endroits, et quelqu’un l’a donc peut-être copiée. Aucun des deux n’est plus connecté.`,
    again:
      'Sur votre propre appareil, il vous suffit de vous reconnecter. Vos autres appareils restent connectés, et votre mot de passe fonctionne toujours.',
    unsure: `Si vous avez perdu un appareil, ou si vous ne savez pas comment cela a pu arriver, choisissez un nouveau mot de passe : tous vos appareils seront alors déconnectés. Si quelque chose a changé dans votre compte à votre insu, écrivez à ${supportEmail}.`,
    button: 'Réinitialiser mon mot de passe',
    reason: `Vous recevez ce courriel parce qu’une session de votre compte ${PRODUCT} a été fermée pour votre sécurité.`,
  }),
}

/** Renders the email about a stolen session. Its button leads to a page; opening it changes nothing. */
export const renderStolenSession: RenderMail = async ({ config }, { locale, data }) => {
  const { ended_at = '' } = data
  const { what, again, unsure, button, ...rest } = TEXTS[locale](formatMailTime(ended_at, locale), config.SUPPORT_EMAIL)
  return {
    ...rest,
    blocks: [
      { kind: 'text', text: what },
      { kind: 'text', text: again },
      { kind: 'text', text: unsure },
      { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.forgotPassword(), locale) },
    ],
  }
}
