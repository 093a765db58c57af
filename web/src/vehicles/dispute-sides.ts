import { type ArrivedDocuments, DOCUMENTS_MAX } from '#contract/documents.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { m } from '~/paraglide/messages'
import type { RemovalReason } from './RemoveVehicleDialog.tsx'

export type Dispute = NonNullable<Vehicle['dispute']>

/**
 * Returns whether a side has sent what it was asked for. An admin may have seen that nothing was in a challenger's email, who then
 * waits for no admin (decision plate-disputes).
 */
export const haveDocumentsArrived = ({ role }: Dispute, { items, mailed_at, waits_for_admin }: ArrivedDocuments) =>
  items.length >= DOCUMENTS_MAX ||
  (waits_for_admin && items.length === 0) ||
  (mailed_at !== null && (waits_for_admin || role === 'incumbent'))

/** What each of the two sides reads. The wording is that of the emails (`mail_dispute_…` in locales/en/mails-vehicles.json). */
type SideTexts = {
  title: () => string
  text: () => string
  /** What happens when the date passes, in two lines. */
  next: () => string
  /** The way out for an owner who does not claim the plate. */
  exit: { reason: RemovalReason; question: () => string; text: () => string }
}

const challenger: SideTexts = {
  title: m.vehicles_dispute_challenger_title,
  // true as well where the plate is not paused for who had it first (decision plate-disputes)
  text: m.vehicles_dispute_challenger_text,
  next: m.vehicles_dispute_challenger_next,
  exit: { reason: 'withdrawn', question: m.vehicles_withdraw_question, text: m.vehicles_withdraw },
}
const incumbent: SideTexts = {
  title: m.vehicles_dispute_incumbent_title,
  text: m.vehicles_dispute_paused,
  next: m.vehicles_dispute_incumbent_next,
  exit: { reason: 'sold', question: m.vehicles_sold_question, text: m.vehicles_sold },
}
/** A plate that a challenge does not pause keeps receiving messages meanwhile (decision plate-disputes). */
const liveOwner: SideTexts = {
  ...incumbent,
  text: m.vehicles_dispute_live_text,
  next: m.vehicles_dispute_verified_next,
}
const incumbentsByStatus: Partial<Record<Vehicle['status'], SideTexts>> = {
  verified: { ...liveOwner, text: m.vehicles_dispute_verified_text },
  active: liveOwner,
}

/** Returns the texts of a side of a dispute. */
export const textsOfSide = ({ status }: Pick<Vehicle, 'status'>, { role }: Dispute): SideTexts =>
  role === 'challenger' ? challenger : (incumbentsByStatus[status] ?? incumbent)
