import { localizedPath, paths } from '#contract/paths.ts'
import { provinceName } from '#contract/provinces.ts'
import type { MailBlock, RenderMail } from '../email/mail-content.ts'
import { formatShortMailDay } from '../email/mail-time.ts'
import { formatDueDate } from './business-days.ts'
import { DISPUTE_TEXTS, type DisputeSide, pausedNote } from './email-texts.ts'
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
  (addressee: DisputeSide): RenderMail =>
  async ({ db, config, keyring }, { refId, recipientId, locale, data }) => {
    const vehicleId = data['vehicle_id']
    const side = vehicleId && (await findDisputeForOwner(db, vehicleId, recipientId, refId))
    if (!side) return null
    const province = provinceName(side.province, locale)
    const texts = DISPUTE_TEXTS[locale]
    const { what, ask, next, ...shown } = texts.sides[addressee]({
      plate: side.plate,
      due: formatDueDate(side.documents_due_at, locale),
      dueDay: formatShortMailDay(side.documents_due_at, locale),
    })
    return {
      ...shown,
      blocks: [
        textBlock(what),
        { kind: 'plate', plate: side.plate, province },
        textBlock(ask),
        { kind: 'list', items: texts.documents },
        textBlock(texts.how(config.SUPPORT_EMAIL)),
        ...texts.privacy.map(textBlock),
        ...next.map(textBlock),
        {
          kind: 'button',
          label: texts.button,
          url: config.PUBLIC_URL + localizedPath(paths.vehicleDispute(vehicleId), locale),
        },
      ],
      // documents go to the team, not to the address that only sends; best to one by which they are recognized
      headers: { 'Reply-To': documentsAddress(config, keyring, vehicleId) ?? config.SUPPORT_EMAIL },
    }
  }

/** Render the mail kinds `dispute_…`; their ref is the challenge, their data a `DisputeMailData`. */
export const renderDisputeChallenger = createDisputeRenderer('challenger')
export const renderDisputeIncumbent = createDisputeRenderer('incumbent')
export const renderDisputeVerifiedOwner = createDisputeRenderer('verifiedOwner')
export const renderDisputeLiveOwner = createDisputeRenderer('liveOwner')

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
  const { otherEnded, registered, settlements, vehiclesButton: label } = DISPUTE_TEXTS[locale]
  const { what, ...shown } = settlements[settlement](vehicle.plate)
  return {
    preheader: otherEnded,
    ...shown,
    reason: registered,
    blocks: [
      { kind: 'plate', plate: vehicle.plate, province: provinceName(vehicle.province, locale) },
      { kind: 'text', text: what },
      ...pausedNote(vehicle, locale),
      { kind: 'button', label, url: config.PUBLIC_URL + localizedPath(paths.vehicles(vehicleId), locale) },
    ],
  }
}
