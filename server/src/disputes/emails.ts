import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { provinceName } from '#contract/provinces.ts'
import type { MailBlock, RenderMail } from '../email/mail-content.ts'
import { formatDueDate } from './business-days.ts'
import {
  challengerText,
  type DisputeFacts,
  type DisputeMailText,
  incumbentText,
  verifiedOwnerText,
} from './email-texts.ts'
import { findDisputeForOwner, findVehicleHoldingPlate } from './queries.ts'
import { settlementTexts } from './settlement-email-texts.ts'
import type { Settlement } from './state-machine.ts'

const textBlock = (line: string): MailBlock => ({ kind: 'text', text: line })

/** What a mail about a dispute needs to know beside the dispute: a challenge may end while the dispute goes on. */
export type DisputeMailData = { vehicle_id: string }

/** Writes a mail to one side of a dispute; none when the dispute has ended or this person has left it. */
const createDisputeRenderer =
  (texts: Record<Locale, (facts: DisputeFacts) => DisputeMailText>): RenderMail =>
  async ({ db, config }, { recipientId, locale, data }) => {
    const vehicleId = data['vehicle_id']
    const side = vehicleId && (await findDisputeForOwner(db, vehicleId, recipientId))
    if (!side) return null
    const province = provinceName(side.province, locale)
    const { subject, preheader, heading, what, ask, documents, privacy, next, button, reason } = texts[locale]({
      plate: side.plate,
      dueDay: formatDueDate(side.documents_due_at, locale),
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
        ...privacy.map(textBlock),
        ...next.map(textBlock),
        { kind: 'button', label: button, url: config.PUBLIC_URL + localizedPath(paths.vehicles(vehicleId), locale) },
      ],
      reason,
      // documents go to people, not to the address that only sends
      headers: { 'Reply-To': config.SUPPORT_EMAIL },
    }
  }

/** Mail kind `dispute_challenger`; its ref is the challenge, its data a `DisputeMailData`. */
export const renderDisputeChallenger = createDisputeRenderer(challengerText)

/** Mail kind `dispute_incumbent`; its ref is the challenge, its data a `DisputeMailData`. */
export const renderDisputeIncumbent = createDisputeRenderer(incumbentText)

/** Mail kind `dispute_verified_owner`; its ref is the challenge, its data a `DisputeMailData`. */
export const renderDisputeVerifiedOwner = createDisputeRenderer(verifiedOwnerText)

/** What a mail about a settled dispute needs to know: the dispute is gone. */
export type SettlementMailData = { vehicle_id: string; settlement: Settlement }

/**
 * Mail kind `dispute_settled`, to who keeps or gets the plate; its ref is the challenge that ended, its data a
 * `SettlementMailData`. Dropped when the vehicle has left, or somebody challenges its plate anew.
 */
export const renderDisputeSettled: RenderMail = async ({ db, config }, { recipientId, locale, data }) => {
  const { vehicle_id: vehicleId, settlement } = data as SettlementMailData
  const vehicle = await findVehicleHoldingPlate(db, vehicleId, recipientId)
  if (!vehicle) return null
  const { what, ...words } = settlementTexts[locale][settlement](vehicle.plate)
  const label = locale === 'en' ? 'See my vehicles' : 'Voir mes véhicules'
  return {
    ...words,
    blocks: [
      { kind: 'plate', plate: vehicle.plate, province: provinceName(vehicle.province, locale) },
      { kind: 'text', text: what },
      { kind: 'button', label, url: config.PUBLIC_URL + localizedPath(paths.vehicles(vehicleId), locale) },
    ],
  }
}
