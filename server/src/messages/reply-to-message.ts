import type { Answer } from '#contract/messages.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import type { AppContext } from '../context.ts'
import type { Transaction } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail } from '../email/outbox.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { notify } from '../notifications/notify.ts'
import { refuse } from '../refusal.ts'
import { receivedRef } from './list-messages.ts'
import { encryptPerson, encryptReply } from './message-encryption.ts'
import { findReceived, type ReceivedRow, setReply } from './queries.ts'
import { getBlockSecret, getPairSecret, resetPair } from './send-limits.ts'

/**
 * Stores the owner's one reply (requirements §4, §5), a text, an answer or both (decision 0091), with the sender's
 * notification and email in the same transaction. When the sender's account is gone, or the sender has blocked this
 * owner's replies (decision 0085), only the reply is stored.
 *
 * Refuses with `not_found`, `already_replied`.
 */
export async function replyToMessage(
  context: AppContext,
  owner: { id: string; email: string },
  id: string,
  { reply, answer }: { reply: string; answer: Answer | null },
): Promise<ReceivedRow> {
  const { db, keyring, live, outbox } = context
  const ownerId = owner.id
  const person = hashPerson(keyring, owner.email)
  const { senderId, row } = await inTransaction(db, async (tx) => {
    const message = (await findReceived(tx, id, ownerId)) ?? refuse('not_found')
    const ref = receivedRef(message)
    const replied = await setReply(tx, id, ownerId, {
      encryptedReply: encryptReply(keyring, ref, hasVisibleCharacter(reply) ? reply : ''), // beside an answer
      answer,
      encryptedPerson: encryptPerson(keyring, 'owner_person', ref, person),
      blockSecret: getBlockSecret(keyring, person),
    })
    // deleted, or answered, at this moment
    const row = (await findReceived(tx, id, ownerId)) ?? refuse('not_found')
    if (!replied) refuse('already_replied')
    const { sender_id: senderId, sender_email, typed_plate, is_withheld } = replied
    if (senderId && sender_email !== null) {
      await unlessWithheld(tx, is_withheld, async (told) => {
        const data = { plate: typed_plate, message_id: id }
        await notify(told, [{ userId: senderId, type: 'message_replied', data, messageId: id }])
        await queueMail(told, { kind: 'reply', refId: id, recipientId: senderId })
        await resetPair(told, getPairSecret(keyring, sender_email), row.vehicle_id)
      })
    }
    return { senderId: is_withheld ? null : senderId, row }
  })
  if (senderId) {
    live.publish([senderId])
    outbox.wake()
  }
  return row
}

/** Ends a savepoint that is to be undone. */
class Withheld extends Error {}

/**
 * Does what tells the sender of a reply, and undoes it when they must not learn of it: so it takes as long, and whoever
 * replies cannot tell that they are blocked.
 */
async function unlessWithheld(
  tx: Transaction,
  isWithheld: boolean,
  tellSender: (told: Transaction) => Promise<void>,
): Promise<void> {
  try {
    await tx.savepoint(async (told) => {
      await tellSender(told)
      if (isWithheld) throw new Withheld()
    })
  } catch (error) {
    if (!(error instanceof Withheld)) throw error
  }
}
