import type { MessageCollision, WitnessContact } from '#contract/collisions.ts'
import type { MessageView } from '#contract/messages.ts'
import { type CollisionDetails, encryptDetails, toMessageCollision, witnessFor } from '../collisions/details.ts'
import { findCollision, isBlockedBy } from '../collisions/queries.ts'
import type { AppContext } from '../context.ts'
import type { Transaction } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail } from '../email/outbox.ts'
import { notify } from '../notifications/notify.ts'
import { refuse } from '../refusal.ts'
import { decryptContent } from './message-encryption.ts'
import { setCollision } from './queries.ts'
import { unlessWithheld } from './reply-to-message.ts'
import { getBlockSecret } from './send-limits.ts'

type Person = { id: string; personHash: Buffer }
type Context = Pick<AppContext, 'db' | 'keyring' | 'live' | 'log' | 'outbox'>

/** What an act of one side leads to. */
type WitnessTransition = {
  details: CollisionDetails
  /** Notifies the other side, unless it has blocked this one. */
  notification: 'witness_asked' | 'witness_answered' | null
}

/**
 * Asks the witness of a received message for a contact (decision collision-messages). The witness is notified, and nothing else happens
 * until they answer. Refuses with `not_found`, `witness_moved_on`.
 */
export const askWitness = (context: Context, owner: Person, id: string): Promise<MessageCollision> =>
  applyTransition(context, owner, 'received', id, (details, isBlocked) => {
    const now = witnessFor('received', details)
    if (now === 'asked') return null // again
    if (now !== 'offered') return refuse('witness_moved_on')
    return isBlocked
      ? { details: { ...details, ask_withheld: true }, notification: 'witness_asked' }
      : { details: { ...details, witness: 'asked' }, notification: 'witness_asked' }
  })

/** Answers the owner who asked: gives them the contact, or declines. Refuses with `not_found`, `witness_moved_on`. */
export const answerWitness = (
  context: Context,
  witness: Person,
  id: string,
  { release, contact }: { release: boolean; contact?: WitnessContact | undefined },
): Promise<MessageCollision> =>
  applyTransition(context, witness, 'sent', id, (details, isBlocked) => {
    if (details.witness !== 'asked') return refuse('witness_moved_on')
    const answered: CollisionDetails = {
      ...details,
      witness: release ? 'released' : 'declined',
      contact: release ? (contact ?? null) : null,
    }
    return { details: isBlocked ? { ...answered, answer_withheld: true } : answered, notification: 'witness_answered' }
  })

/** Takes back the offer to be a witness. Refuses with `not_found`, and with `witness_moved_on` once a contact was given. */
export const withdrawWitness = (context: Context, witness: Person, id: string): Promise<MessageCollision> =>
  applyTransition(context, witness, 'sent', id, (details, isBlocked) => {
    if (details.witness === 'withdrawn') return null // again
    if (details.witness !== 'offered' && details.witness !== 'asked') return refuse('witness_moved_on')
    const wasAsked = details.witness === 'asked'
    return {
      details: { ...details, witness: 'withdrawn', ...(isBlocked && wasAsked && { answer_withheld: true }) },
      notification: wasAsked ? 'witness_answered' : null,
    }
  })

/** Applies what one side does to the locked message, and notifies the other side in the same transaction. */
async function applyTransition(
  context: Context,
  person: Person,
  view: MessageView,
  id: string,
  decide: (details: CollisionDetails, isBlocked: boolean) => WitnessTransition | null,
): Promise<MessageCollision> {
  const { db, keyring, live, log, outbox } = context
  const { collision, notifiedId } = await inTransaction(db, async (tx) => {
    const row = (await findCollision(tx, id, person.id, true)) ?? refuse('not_found')
    const ref = { id, vehicleId: row.addressed_to }
    const { collision: details } = decryptContent({ keyring, log, locale: 'en' }, ref, row)
    if (row.view !== view || details?.kind !== 'saw') return refuse('not_found')
    const other = view === 'received' ? row.sender_id : row.owner_id
    const secret = getBlockSecret(keyring, person.personHash)
    const isBlocked =
      other !== null && (await isBlockedBy(tx, secret, other, view === 'received' ? 'sent' : 'received'))
    const transition = decide(details, isBlocked)
    if (transition) await setCollision(tx, id, encryptDetails(keyring, ref, transition.details))
    if (transition?.notification && other !== null) await notifyOther(tx, transition.notification, id, other, isBlocked)
    const collision = toMessageCollision(view, transition?.details ?? details)!
    return { collision, notifiedId: transition?.notification && !isBlocked ? other : null }
  })
  if (notifiedId) {
    live.publish([notifiedId])
    outbox.wake()
  }
  return collision
}

/** Notifies the other side of a step, unless that side has blocked this one, as with a reply. */
const notifyOther = (
  tx: Transaction,
  type: 'witness_asked' | 'witness_answered',
  id: string,
  userId: string,
  isWithheld: boolean,
): Promise<void> =>
  unlessWithheld(tx, isWithheld, async (savepoint) => {
    const plate = (await findCollision(savepoint, id, userId))?.plate ?? ''
    await notify(savepoint, [{ userId, type, data: { plate, message_id: id }, messageId: id }])
    await queueMail(savepoint, { kind: type, refId: id, recipientId: userId })
  })
