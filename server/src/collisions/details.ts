import type { CollisionKind, MessageCollision, WitnessContact, WitnessState } from '#contract/collisions.ts'
import type { MessageView } from '#contract/messages.ts'
import { type DecryptContext, openOrReport } from '../encryption/decrypt-for-display.ts'
import { type AssociatedData, decryptText, encryptText, type Keyring } from '../encryption/envelope-encryption.ts'

/** What a message keeps of its collision. */
export type CollisionDetails = {
  kind: CollisionKind
  witness: WitnessState | null
  contact: WitnessContact | null
  /** The owner has asked, and the witness, who had blocked the owner, never learns of it. */
  ask_withheld?: true
  /** The witness has answered, and the owner, who had blocked the witness, never learns of it. */
  answer_withheld?: true
}

/** A message, and the vehicle it is encrypted for. */
type CollisionRef = { id: string; vehicleId: string }

/** Longer than any details, so that their length reveals nothing. */
const DETAILS_BYTES = 1024

const associatedData = ({ id, vehicleId }: CollisionRef): AssociatedData => ({
  table: 'messages',
  column: 'collision',
  id,
  boundTo: vehicleId,
})

/** Writes the details of a collision as JSON, padded to one length for all. */
export function writeDetails(details: CollisionDetails): string {
  const json = JSON.stringify(details)
  return json + ' '.repeat(Math.max(0, DETAILS_BYTES - Buffer.byteLength(json)))
}

/** Reads what `writeDetails` wrote. */
export const readDetails = (json: string): CollisionDetails => JSON.parse(json) as CollisionDetails

/** Encrypts the details of a collision by themselves, once they have changed since the message was sent. */
export const encryptDetails = (keyring: Keyring, ref: CollisionRef, details: CollisionDetails): Buffer =>
  encryptText(keyring, associatedData(ref), writeDetails(details))

/** Decrypts them. Returns null when they were damaged. */
export function decryptDetails(
  { keyring, log }: Pick<DecryptContext, 'keyring' | 'log'>,
  ref: CollisionRef,
  encrypted: Buffer,
): CollisionDetails | null {
  const data = associatedData(ref)
  return openOrReport(log, data, () => readDetails(decryptText(keyring, data, encrypted)))
}

/** The sides of a message; a driver of the vehicle reads what the owner reads, but no contact: that is for the owner. */
type Side = MessageView | 'driver'

/** Returns how far the witness has come, as one side knows it. */
export function witnessFor(view: Side, details: CollisionDetails): WitnessState | null {
  const { witness, ask_withheld, answer_withheld } = details
  if (view === 'sent') return witness
  if (answer_withheld || (ask_withheld && witness === 'offered')) return 'asked'
  return witness
}

/** Converts the collision of a message for one side. */
export function toMessageCollision(view: Side, details: CollisionDetails | null): MessageCollision | null {
  if (!details) return null
  const witness = witnessFor(view, details)
  return { kind: details.kind, witness, contact: witness === 'released' && view !== 'driver' ? details.contact : null }
}
