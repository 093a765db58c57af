import type { Answer } from '#contract/messages.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import type { AppContext } from '../context.ts'
import type { Transaction } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail } from '../email/outbox.ts'
import { type NewNotification, notify } from '../notifications/notify.ts'
import { markMessageNotification } from '../notifications/queries.ts'
import { refuse } from '../refusal.ts'
import { receivedRef } from './list-messages.ts'
import { encryptPerson, encryptReply } from './message-encryption.ts'
import { lockReaders } from './people-queries.ts'
import { findOwnerPerson, findReceived, type ReceivedRow, setDriverReplied, setReply } from './queries.ts'
import { getBlockSecret, getPairSecret, resetPair } from './send-limits.ts'

/** Ends a savepoint that is to be undone. */
class Withheld extends Error {}

/**
 * Runs the notification of the other side, and rolls it back when they have blocked the person who acts: it takes as long in
 * both cases, so that nobody can find out that they are blocked (decision blocking-people).
 */
export async function unlessWithheld(
  tx: Transaction,
  isWithheld: boolean,
  notifyOther: (savepoint: Transaction) => Promise<void>,
): Promise<void> {
  try {
    await tx.savepoint(async (savepoint) => {
      await notifyOther(savepoint)
      if (isWithheld) throw new Withheld()
    })
  } catch (error) {
    if (!(error instanceof Withheld)) throw error
  }
}

/**
 * Stores the one reply of the people of a vehicle (requirements §4, §5), a text, an answer or both (decision replies-and-search), with the
 * sender's notification and email in the same transaction. When the sender's account is gone, or the sender has blocked these
 * people's replies (decision blocking-people), only the reply is stored. The first who answers does so for everybody of the vehicle; the
 * others are notified (decision vehicle-people). The notification of the message counts as read.
 *
 * Refuses with `not_found`, `already_replied`, `reply_removed`.
 *
 * @param reader the owner of the vehicle, or a driver who may read the message
 */
export async function replyToMessage(
  context: AppContext,
  reader: { id: string; personHash: Buffer },
  id: string,
  { reply, answer }: { reply: string; answer: Answer | null },
): Promise<ReceivedRow> {
  const { db, keyring, live, outbox } = context
  const person = reader.personHash
  const { senderId, others, row } = await inTransaction(db, async (tx) => {
    const message = (await findReceived(tx, id, reader.id)) ?? refuse('not_found')
    const { driver_id: driverId, plate, vehicle_id } = message
    const ref = receivedRef(message)
    const owner = driverId === null ? null : await findOwnerPerson(tx, id)
    const blockable = owner === null ? [person] : [person, owner]
    const replied = await setReply(tx, id, reader.id, driverId, {
      encryptedReply: encryptReply(keyring, ref, hasVisibleCharacter(reply) ? reply : ''), // beside an answer
      answer,
      encryptedPerson: encryptPerson(keyring, 'owner_person', ref, person),
      blockSecrets: blockable.map((one) => getBlockSecret(keyring, one)),
    })
    if (replied && driverId !== null && !(await setDriverReplied(tx, id, driverId))) refuse('not_found')
    // deleted, or answered, at this moment
    const row = (await findReceived(tx, id, reader.id)) ?? refuse('not_found')
    if (!replied) refuse(row.reply_removed ? 'reply_removed' : 'already_replied')
    const others = await lockReaders(tx, id, reader.id)
    const toOthers = others.map((userId): NewNotification => {
      const answered_by = driverId === null ? 'owner' : 'driver'
      const data = { plate, message_id: id, vehicle_id, answered_by } as const
      return { userId, type: 'message_answered', data, messageId: id }
    })
    const { sender_id: senderId, sender_person, typed_plate, is_withheld } = replied
    if (senderId) {
      await unlessWithheld(tx, is_withheld, async (savepoint) => {
        const data = { ...(typed_plate !== null && { plate: typed_plate }), message_id: id }
        // in one statement, which locks the counters of all of them in one order
        await notify(savepoint, [{ userId: senderId, type: 'message_replied', data, messageId: id }, ...toOthers])
        await queueMail(savepoint, { kind: 'reply', refId: id, recipientId: senderId })
        if (sender_person) await resetPair(savepoint, getPairSecret(keyring, sender_person), row.vehicle_id)
      })
    }
    await notify(tx, toOthers) // again changes nothing
    return { senderId: is_withheld ? null : senderId, others, row }
  })
  await markMessageNotification(db, id, reader.id, true)
  live.publish([reader.id, ...others, ...(senderId ? [senderId] : [])])
  live.publishChange([reader.id]) // no notification tells the other pages and devices of who answers
  if (senderId) outbox.wake()
  return row
}
