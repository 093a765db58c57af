import { Province } from '#contract/fields.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { provinceName } from '#contract/provinces.ts'
import { pausedNote } from '../disputes/email-texts.ts'
import type { MailBlock, MailContent, RenderMail } from '../email/mail-content.ts'
import { findOwnVehicle } from './queries.ts'
import { decryptRejectReason } from './reject-vehicle.ts'

type VehicleMailFacts = { plate: string; province?: Province; url: string; supportEmail: string }
type RejectedFacts = VehicleMailFacts & { reason: string; automatic?: boolean }

/** The texts of one email; `arrange` puts them around the plate. */
type Texts = Pick<MailContent, 'subject' | 'preheader' | 'heading' | 'reason'> & {
  what: string
  /** After what is quoted. */
  next?: string
  note?: string
}
type TextsOf = Record<Locale, (facts: VehicleMailFacts) => Texts>

const APPROVED: TextsOf = {
  en: ({ plate }) => ({
    subject: `Your plate ${plate} is verified`,
    preheader: `You’re now a Verified ${PRODUCT} User.`,
    heading: 'Your plate is verified',
    what: `We confirmed that this plate is yours. You’re now a Verified ${PRODUCT} User: your plate receives messages, and new claims no longer pause it.`,
    note: 'When you sell the vehicle, remove it from your vehicles so you stop receiving its messages.',
    reason: 'You’re receiving this email because you registered this plate.',
  }),
  'fr-CA': ({ plate }) => ({
    subject: `Votre plaque ${plate} est vérifiée`,
    preheader: `Votre compte ${PRODUCT} est vérifié.`,
    heading: 'Votre plaque est vérifiée',
    what: `Nous avons confirmé que cette plaque est la vôtre : votre compte ${PRODUCT} est vérifié. Votre plaque reçoit les messages, et une nouvelle revendication ne les suspendra plus.`,
    note: 'Quand vous vendrez le véhicule, retirez-le de vos véhicules pour ne plus recevoir ses messages.',
    reason: 'Vous recevez ce courriel parce que vous avez enregistré cette plaque.',
  }),
}

const REJECTED: TextsOf = {
  en: ({ plate, supportEmail }) => ({
    subject: `Your registration of plate ${plate} was rejected`,
    preheader: 'The reason is in this email.',
    heading: 'Your registration was rejected',
    what: 'You don’t receive messages for this plate. The reason:',
    next: `Is it your vehicle? You can register the plate again. Questions? Write to ${supportEmail}.`,
    reason: 'You’re receiving this email because you registered this plate.',
  }),
  'fr-CA': ({ plate, supportEmail }) => ({
    subject: `Votre enregistrement de la plaque ${plate} a été refusé`,
    preheader: 'Le motif se trouve dans ce courriel.',
    heading: 'Votre enregistrement a été refusé',
    what: 'Vous ne recevez pas de messages pour cette plaque. Motif :',
    next: `Le véhicule est à vous? Vous pouvez enregistrer la plaque de nouveau. Si vous avez des questions, écrivez à ${supportEmail}.`,
    reason: 'Vous recevez ce courriel parce que vous avez enregistré cette plaque.',
  }),
}

/**
 * Says that no person decided, and how one looks again: Act respecting the protection of personal information in the private
 * sector, CQLR c. P-39.1, s. 12.1.
 */
const AUTOMATIC: Record<Locale, string> = {
  en: `This was decided automatically, without a person: the due date passed and we hadn’t recorded any documents from you. If you sent them, or think this is wrong, reply to this email and tell us what we should know: a person will look at it again. You can also ask what information was used, and have it corrected.`,
  'fr-CA': `Cette décision a été prise automatiquement, sans intervention humaine : à l’échéance, nous n’avions consigné aucun document de votre part. Si vous en avez envoyé ou si vous croyez à une erreur, répondez à ce courriel en disant ce que nous devrions savoir : une personne réexaminera la décision. Vous pouvez aussi demander quels renseignements ont servi et les faire rectifier.`,
}

const DELETED: TextsOf = {
  en: ({ plate, supportEmail }) => ({
    subject: `Your registration of plate ${plate} was removed`,
    preheader: 'Another registration of this plate was verified.',
    heading: 'Your registration was removed',
    what: 'Another registration of this plate was verified. Yours was removed, with the messages it received.',
    next: `If you think this is a mistake, write to ${supportEmail}.`,
    reason: 'You’re receiving this email because you had registered this plate.',
  }),
  'fr-CA': ({ plate, supportEmail }) => ({
    subject: `Votre enregistrement de la plaque ${plate} a été supprimé`,
    preheader: 'Un autre enregistrement de cette plaque a été vérifié.',
    heading: 'Votre enregistrement a été supprimé',
    what: 'Un autre enregistrement de cette plaque a été vérifié. Le vôtre a été supprimé, avec les messages qu’il a reçus.',
    next: `Si vous croyez qu’il s’agit d’une erreur, écrivez à ${supportEmail}.`,
    reason: 'Vous recevez ce courriel parce que vous aviez enregistré cette plaque.',
  }),
}

/** @param quoted what is said between the two texts */
function arrange(texts: TextsOf, locale: Locale, facts: VehicleMailFacts, quoted: MailBlock[] = []): MailContent {
  const { what, next, note, ...rest } = texts[locale](facts)
  const { plate, province, url } = facts
  return {
    ...rest,
    blocks: [
      { kind: 'plate', plate, ...(province && { province: provinceName(province, locale) }) },
      { kind: 'text', text: what },
      ...quoted,
      ...(next ? [{ kind: 'text', text: next } as const] : []),
      { kind: 'button', label: locale === 'en' ? 'See my vehicles' : 'Voir mes véhicules', url },
      ...(note ? [{ kind: 'note', text: note } as const] : []),
    ],
  }
}

/** Writes that a plate is verified. */
export const approvedMail = (locale: Locale, facts: VehicleMailFacts) => arrange(APPROVED, locale, facts)

/** Writes that, and why, a registration was rejected. */
export const rejectedMail = (locale: Locale, { reason, automatic, ...facts }: RejectedFacts) =>
  arrange(REJECTED, locale, facts, [
    { kind: 'quote', text: reason },
    ...(automatic ? [{ kind: 'text', text: AUTOMATIC[locale] } as const] : []),
  ])

/** Writes that a registration was removed for another one. */
export const deletedMail = (locale: Locale, facts: VehicleMailFacts) => arrange(DELETED, locale, facts)

type Config = Parameters<RenderMail>[0]['config']

const toMailFacts = (
  { plate, province }: { plate: string; province: Province },
  { PUBLIC_URL, SUPPORT_EMAIL }: Config,
  locale: Locale,
  vehicleId?: string,
): VehicleMailFacts => ({
  plate,
  province,
  url: PUBLIC_URL + localizedPath(paths.vehicles(vehicleId), locale),
  supportEmail: SUPPORT_EMAIL,
})

/**
 * Renders the mail kind `vehicle_approved` (requirements §7); its ref is the decision. Dropped when no longer verified.
 */
export const renderVehicleApproved: RenderMail = async ({ db, config }, { recipientId, locale, data }) => {
  const vehicle = await findOwnVehicle(db, data['vehicle_id'], recipientId)
  if (vehicle?.status !== 'verified') return null
  const content = approvedMail(locale, toMailFacts(vehicle, config, locale, vehicle.id))
  return { ...content, blocks: [...content.blocks, ...pausedNote(vehicle, locale)] }
}

/**
 * Renders the mail kind `vehicle_rejected` (requirements §7); its ref is the decision. Dropped when no longer rejected.
 */
export const renderVehicleRejected: RenderMail = async ({ db, config, keyring }, { recipientId, locale, data }) => {
  const vehicle = await findOwnVehicle(db, data['vehicle_id'], recipientId)
  if (!vehicle?.reject_reason_encrypted) return null
  const reason = decryptRejectReason(keyring, vehicle.id, vehicle.reject_reason_encrypted)
  const automatic = data['decided_by'] === 'clock'
  const content = rejectedMail(locale, { ...toMailFacts(vehicle, config, locale, vehicle.id), reason, automatic })
  // a reply to the email reaches a human
  return automatic ? { ...content, headers: { 'Reply-To': config.SUPPORT_EMAIL } } : content
}

/**
 * Renders the mail kind `vehicle_deleted` (requirements §7), to a peer of an approved vehicle; its ref is the approval.
 */
export const renderVehicleDeleted: RenderMail = async ({ config }, { locale, data }) => {
  const { plate = '', province } = data
  return deletedMail(locale, toMailFacts({ plate, province: Province.parse(province) }, config, locale))
}
