import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { RenderMail } from '../email/mail-content.ts'
import { findJoined } from './queries.ts'

type Texts = Record<'subject' | 'preheader' | 'heading' | 'what' | 'reads' | 'unknown' | 'button' | 'reason', string>

const TEXTS: Record<Locale, (plate: string, supportEmail: string) => Texts> = {
  en: (plate, supportEmail) => ({
    subject: `Someone joined your vehicle ${plate} as a driver`,
    preheader: 'If you don’t know who it is, act now.',
    heading: 'A new driver',
    what: `Someone was invited to the vehicle ${plate} and has joined it as a driver. Your vehicles page shows who it is.`,
    reads: 'From now on they read and answer new messages about it, and see who else drives it and who has the car.',
    unknown: `If you don’t know them, the owner can remove them there with one tap, and drivers can leave. If someone may have used your account, choose a new password and write to ${supportEmail}.`,
    button: 'See who drives it',
    reason: `You’re receiving this email because you own or drive this vehicle on ${PRODUCT}.`,
  }),
  'fr-CA': (plate, supportEmail) => ({
    subject: `Quelqu’un conduit maintenant aussi votre véhicule ${plate}`,
    preheader: 'Si vous ne savez pas qui c’est, agissez maintenant.',
    heading: 'Une nouvelle personne au volant',
    what: `Quelqu’un a été invité à conduire le véhicule ${plate} et a accepté. La page de vos véhicules montre de qui il s’agit.`,
    reads:
      'À partir de maintenant, cette personne lit les nouveaux messages à son sujet et y répond. Elle voit qui d’autre le conduit et qui a la voiture.',
    unknown: `Si vous ne la connaissez pas, le propriétaire peut la retirer d’une seule touche sur cette page, et toute personne qui conduit le véhicule peut le quitter. Si quelqu’un a pu se servir de votre compte, choisissez un nouveau mot de passe et écrivez à ${supportEmail}.`,
    button: 'Voir qui le conduit',
    reason: `Vous recevez ce courriel parce que vous possédez ou conduisez ce véhicule sur ${PRODUCT}.`,
  }),
}

/**
 * Writes to the people of a vehicle that somebody joined it (decision vehicle-people). Drops the email when the driver has left, or its
 * recipient has.
 */
export const renderDriverJoined: RenderMail = async ({ db, config }, { refId, recipientId, locale }) => {
  const joined = await findJoined(db, refId, recipientId)
  if (!joined) return null
  const { what, reads, unknown, button, ...rest } = TEXTS[locale](joined.plate, config.SUPPORT_EMAIL)
  const url = config.PUBLIC_URL + localizedPath(paths.vehicles(joined.vehicle_id), locale)
  return {
    ...rest,
    blocks: [
      { kind: 'text', text: what },
      { kind: 'text', text: reads },
      { kind: 'text', text: unknown },
      { kind: 'button', label: button, url },
    ],
  }
}
