import { paths } from '#contract/paths.ts'
import { m } from '#texts/messages.js'
import { FOR_DOCUMENTS, inboundAddress } from '../email/inbound-address.ts'
import { type RenderMail, writeMail } from '../email/mail-content.ts'
import { formatShortMailDay } from '../email/mail-time.ts'
import { DOCUMENTS_BUSINESS_DAYS, formatDueDate } from './business-days.ts'
import { findDisputeForOwner, findVehicleWithPlate } from './queries.ts'
import type { Settlement } from './state-machine.ts'

// No email says who the other side is, or was, nor why its registration ended.

/** What an owner whose plate stays live must know before they decide to do nothing. */
const IF_NOTHING_IS_SENT = [m.mail_dispute_silence, m.mail_dispute_loss, m.mail_dispute_sale]

/**
 * What each side is told: who registered a plate that somebody else had, and its owner, whose plate is paused until it is settled
 * (requirements §4), or stays live because it is verified or for another reason (decision plate-disputes).
 */
const SIDES = {
  challenger: {
    subject: m.mail_dispute_challenger_subject,
    preheader: m.mail_dispute_challenger_preheader,
    heading: m.mail_dispute_challenger_heading,
    text: m.mail_dispute_challenger_text,
    ask: m.mail_dispute_challenger_ask,
    next: [m.mail_dispute_challenger_match, m.mail_dispute_challenger_silence],
    reason: m.mail_vehicle_reason,
  },
  incumbent: {
    subject: m.mail_dispute_incumbent_subject,
    preheader: m.mail_dispute_incumbent_preheader,
    heading: m.mail_dispute_owner_heading,
    text: m.mail_dispute_incumbent_text,
    ask: m.mail_dispute_incumbent_ask,
    next: [m.mail_dispute_match, m.mail_dispute_incumbent_silence, m.mail_dispute_loss, m.mail_dispute_sale],
    reason: m.mail_dispute_reason,
  },
  verifiedOwner: {
    subject: m.mail_dispute_verified_owner_subject,
    preheader: m.mail_dispute_verified_owner_preheader,
    heading: m.mail_dispute_verified_owner_heading,
    text: m.mail_dispute_verified_owner_text,
    ask: m.mail_dispute_verified_owner_ask,
    next: IF_NOTHING_IS_SENT,
    reason: m.mail_dispute_reason,
  },
  liveOwner: {
    subject: m.mail_dispute_live_owner_subject,
    preheader: m.mail_dispute_live_owner_preheader,
    heading: m.mail_dispute_owner_heading,
    text: m.mail_dispute_live_owner_text,
    ask: m.mail_dispute_live_owner_ask,
    next: [m.mail_dispute_match, ...IF_NOTHING_IS_SENT],
    reason: m.mail_dispute_reason,
  },
}

/** What an email about a dispute needs beside the dispute, as a challenge may end while the dispute goes on. */
export type DisputeMailData = { vehicle_id: string }

/**
 * Creates the renderer of an email to one side of a dispute, which asks for documents: by the button first, as they are sealed then and
 * known to have arrived. Dropped when the dispute has ended or this side has left it.
 */
const createDisputeRenderer =
  (addressee: keyof typeof SIDES): RenderMail =>
  async ({ db, config, keyring }, { refId, recipientId, locale, data }) => {
    const vehicleId = data['vehicle_id']
    const side = vehicleId && (await findDisputeForOwner(db, vehicleId, recipientId, refId))
    if (!side) return null
    const { text, ask, next, ...shown } = SIDES[addressee]
    return writeMail(
      {
        plate: side.plate,
        days: DOCUMENTS_BUSINESS_DAYS,
        due: formatDueDate(side.documents_due_at, locale),
        day: formatShortMailDay(side.documents_due_at, locale),
      },
      {
        ...shown,
        blocks: [
          text,
          { plate: side.plate, province: side.province },
          ask,
          { list: [m.vehicles_dispute_licence, m.vehicles_dispute_registration] },
          m.mail_dispute_how,
          m.vehicles_dispute_cover_text,
          m.mail_dispute_use,
          ...next,
          { button: m.documents_send, to: paths.vehicleDispute(vehicleId) },
        ],
        // documents go to the team, not to the address that only sends; best to one by which they are recognized
        replyTo: inboundAddress(config, keyring, FOR_DOCUMENTS, vehicleId) ?? config.SUPPORT_EMAIL,
      },
    )
  }

/** Render the mail kinds `dispute_…`; their ref is the challenge, their data a `DisputeMailData`. */
export const renderDisputeChallenger = createDisputeRenderer('challenger')
export const renderDisputeIncumbent = createDisputeRenderer('incumbent')
export const renderDisputeVerifiedOwner = createDisputeRenderer('verifiedOwner')
export const renderDisputeLiveOwner = createDisputeRenderer('liveOwner')

const AGAIN = { subject: m.mail_settled_again_subject, heading: m.mail_settled_again_heading }
const KEPT = { subject: m.mail_settled_kept_subject, heading: m.mail_settled_kept_heading }
const ACTIVE = { subject: m.mail_settled_active_subject, heading: m.mail_settled_active_heading }
const ended = { preheader: m.mail_settled_other_ended }

/** What the owner is told who keeps or gets a plate. */
const SETTLEMENTS = {
  restored: { ...ended, ...AGAIN, text: [m.mail_settled_other_ended, m.mail_settled_restored_text] },
  stayed: { ...ended, ...KEPT, text: [m.mail_settled_other_ended, m.mail_settled_stayed_text] },
  undisturbed: { ...ended, ...KEPT, text: [m.mail_settled_other_ended, m.mail_settled_undisturbed_text] },
  resumed: { ...AGAIN, preheader: m.mail_settled_resumed_preheader, text: m.mail_settled_resumed_text },
  gained: { ...ended, ...ACTIVE, text: [m.mail_settled_other_ended, m.mail_settled_gained_text] },
  started: { ...ACTIVE, preheader: m.mail_settled_started_preheader, text: m.mail_settled_started_text },
} satisfies Record<Settlement, object>

/** What an email about a settled dispute needs, as the dispute is gone. */
export type SettlementMailData = { vehicle_id: string; settlement: Settlement }

/**
 * Renders the mail kind `dispute_settled`, to the owner who keeps or gets the plate; its ref is the challenge that ended, its
 * data a `SettlementMailData`. Dropped when the vehicle is gone, or its plate is challenged again. One that its owner has paused
 * reaches nobody even now (decision quiet-hours).
 */
export const renderDisputeSettled: RenderMail = async ({ db }, { recipientId, data }) => {
  const { vehicle_id: vehicleId, settlement } = data as SettlementMailData
  const vehicle = await findVehicleWithPlate(db, vehicleId, recipientId)
  if (!vehicle) return null
  const { plate, province, paused } = vehicle
  const { text, ...shown } = SETTLEMENTS[settlement]
  return writeMail(
    { plate },
    {
      ...shown,
      blocks: [
        { plate, province },
        text,
        paused && m.mail_vehicle_paused,
        { button: m.vehicles_see_mine, to: paths.vehicles(vehicleId) },
      ],
      reason: m.mail_dispute_reason,
    },
  )
}
