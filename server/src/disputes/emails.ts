import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { provinceName } from '#contract/provinces.ts'
import type { MailBlock, RenderMail } from '../email/mail-content.ts'
import { formatShortMailDay } from '../email/mail-time.ts'
import { formatDueDate } from './business-days.ts'
import {
  challengerText,
  type DisputeFacts,
  type DisputeMailText,
  incumbentText,
  liveOwnerText,
  OTHER_REGISTRATION_ENDED,
  pausedNote,
  REGISTERED,
  settlementTexts,
  verifiedOwnerText,
} from './email-texts.ts'
import { findDisputeForOwner, findVehicleWithPlate } from './queries.ts'
import { documentsAddress } from './reply-address.ts'
import type { Settlement } from './state-machine.ts'

const textBlock = (line: string): MailBlock => ({ kind: 'text', text: line })

/** What an email about a dispute needs beside the dispute, as a challenge may end while the dispute goes on. */
export type DisputeMailData = { vehicle_id: string }

/**
 * Creates the renderer of an email to one side of a dispute. Dropped when the dispute has ended or this side has left
 * it.
 */
const createDisputeRenderer =
  (texts: Record<Locale, (facts: DisputeFacts) => DisputeMailText>): RenderMail =>
  async ({ db, config, keyring }, { refId, recipientId, locale, data }) => {
    const vehicleId = data['vehicle_id']
    const side = vehicleId && (await findDisputeForOwner(db, vehicleId, recipientId, refId))
    if (!side) return null
    const province = provinceName(side.province, locale)
    const { subject, preheader, heading, what, ask, documents, how, privacy, next, button, reason } = texts[locale]({
      plate: side.plate,
      due: formatDueDate(side.documents_due_at, locale),
      dueDay: formatShortMailDay(side.documents_due_at, locale),
      supportEmail: config.SUPPORT_EMAIL,
    })
    return {
      subject,
      preheader,
      heading,
      blocks: [
        ...what.map(textBlock),
        { kind: 'plate', plate: side.plate, province },
        ...ask.map(textBlock),
        { kind: 'list', items: documents },
        textBlock(how),
        ...privacy.map(textBlock),
        ...next.map(textBlock),
        {
          kind: 'button',
          label: button,
          url: config.PUBLIC_URL + localizedPath(paths.vehicleDispute(vehicleId), locale),
        },
      ],
      reason,
      // documents go to the team, not to the address that only sends; best to one by which they are recognized
      headers: { 'Reply-To': documentsAddress(config, keyring, vehicleId) ?? config.SUPPORT_EMAIL },
    }
  }

/** Renders the mail kind `dispute_challenger`; its ref is the challenge, its data a `DisputeMailData`. */
export const renderDisputeChallenger = createDisputeRenderer(challengerText)

/** Renders the mail kind `dispute_incumbent`; its ref is the challenge, its data a `DisputeMailData`. */
export const renderDisputeIncumbent = createDisputeRenderer(incumbentText)

/** Renders the mail kind `dispute_verified_owner`; its ref is the challenge, its data a `DisputeMailData`. */
export const renderDisputeVerifiedOwner = createDisputeRenderer(verifiedOwnerText)

/** Renders the mail kind `dispute_live_owner`; its ref is the challenge, its data a `DisputeMailData`. */
export const renderDisputeLiveOwner = createDisputeRenderer(liveOwnerText)

const VEHICLES_LABEL: Record<Locale, string> = { en: 'See my vehicles', 'fr-CA': 'Voir mes véhicules' }

/** What an email about a settled dispute needs, as the dispute is gone. */
export type SettlementMailData = { vehicle_id: string; settlement: Settlement }

/**
 * Renders the mail kind `dispute_settled`, to the owner who keeps or gets the plate; its ref is the challenge that ended, its
 * data a `SettlementMailData`. Dropped when the vehicle is gone, or its plate is challenged again.
 */
export const renderDisputeSettled: RenderMail = async ({ db, config }, { recipientId, locale, data }) => {
  const { vehicle_id: vehicleId, settlement } = data as SettlementMailData
  const vehicle = await findVehicleWithPlate(db, vehicleId, recipientId)
  if (!vehicle) return null
  const { what, ...texts } = settlementTexts[locale][settlement](vehicle.plate)
  const label = VEHICLES_LABEL[locale]
  return {
    preheader: OTHER_REGISTRATION_ENDED[locale],
    ...texts,
    reason: REGISTERED[locale],
    blocks: [
      { kind: 'plate', plate: vehicle.plate, province: provinceName(vehicle.province, locale) },
      { kind: 'text', text: what },
      ...pausedNote(vehicle, locale),
      { kind: 'button', label, url: config.PUBLIC_URL + localizedPath(paths.vehicles(vehicleId), locale) },
    ],
  }
}
