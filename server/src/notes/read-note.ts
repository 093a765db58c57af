import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail } from '../email/outbox.ts'
import { decryptText } from '../encryption/envelope-encryption.ts'
import { replyAssociatedData } from '../messages/message-encryption.ts'
import { deliverNote, lockNoteMessage, setNoteReply } from '../messages/note-rows.ts'
import { notify } from '../notifications/notify.ts'
import { refuse } from '../refusal.ts'
import { reportNote } from '../reports/report-message.ts'
import type { NoteContent } from './note-encryption.ts'
import { deleteNote, findOwnVehicle, markOpened, markReplied, type NoteRow } from './queries.ts'

/** A note that code and plate have opened (`makeTryNote`). */
export type OpenedNote = { row: NoteRow; note: NoteContent }

/** Returns a note for its reader, and begins the period of opened ones. Refuses with `note_not_found`. */
export async function showNote({ db }: AppContext, { row, note }: OpenedNote): Promise<OpenedNote> {
  return { row: (await markOpened(db, row.id)) ?? refuse('note_not_found'), note }
}

/**
 * Stores the one reply to a note and notifies its sender, as with a message; a sender whose account was deleted is not
 * notified.
 *
 * Refuses with `note_not_found`, `already_replied`.
 */
export async function replyToNote(context: AppContext, { row, note }: OpenedNote, reply: string): Promise<OpenedNote> {
  const { db, keyring, live, outbox } = context
  const { senderId, answered } = await inTransaction(db, async (tx) => {
    await lockNoteMessage(tx, row.message_id)
    const opened = (await markOpened(tx, row.id)) ?? refuse('note_not_found')
    if (!(await markReplied(tx, row.id))) refuse('already_replied')
    const messageId = opened.message_id
    const senderId =
      messageId === null ? null : await setNoteReply(tx, keyring, { id: messageId, noteId: row.id }, reply)
    if (messageId !== null && senderId !== null) {
      await notify(tx, [
        { userId: senderId, type: 'message_replied', data: { message_id: messageId }, messageId: messageId },
      ])
      await queueMail(tx, { kind: 'reply', refId: messageId, recipientId: senderId })
    }
    return { senderId, answered: { ...opened, replied_at: new Date().toISOString() } }
  })
  if (senderId !== null) {
    live.publish([senderId])
    outbox.wake()
  }
  return { row: answered, note }
}

/** Reports a note and deletes it. Its sender is not notified. Refuses with `note_not_found`. */
export async function rejectNote(context: AppContext, { row, note }: OpenedNote, ip: string): Promise<void> {
  const { db, keyring } = context
  await inTransaction(db, async (tx) => {
    await lockNoteMessage(tx, row.message_id)
    if (!(await deleteNote(tx, row.id))) refuse('note_not_found')
    const [answered] = await tx<{ reply_encrypted: Buffer }[]>`
      select reply_encrypted from messages where id = ${row.message_id} and reply_encrypted is not null`
    const reply =
      answered && row.message_id !== null
        ? decryptText(keyring, replyAssociatedData({ id: row.message_id, vehicleId: row.id }), answered.reply_encrypted)
        : null
    const copy = {
      message_id: row.message_id ?? row.id,
      content: note.content,
      reason: note.reason,
      inserted_at: row.created_at,
      reply,
      replied_at: row.replied_at,
    }
    await reportNote(tx, context, Buffer.from(note.sender_person, 'base64'), copy, ip)
  })
}

/**
 * Makes a note a received message of a user who has its plate now. Its code opens nothing any more; its sender sees no change.
 *
 * Refuses with `note_not_found`, `note_not_yours`.
 */
export async function claimNote(
  { db, keyring }: AppContext,
  { row, note }: OpenedNote,
  userId: string,
  plateKey: string,
): Promise<{ id: string }> {
  const id = await inTransaction(db, async (tx) => {
    await lockNoteMessage(tx, row.message_id)
    const vehicleId = (await findOwnVehicle(tx, userId, plateKey, note.province)) ?? refuse('note_not_yours')
    if (!(await deleteNote(tx, row.id))) refuse('note_not_found')
    return deliverNote(tx, keyring, {
      messageId: row.message_id,
      noteId: row.id,
      vehicleId,
      content: note.content,
      reason: note.reason,
      person: Buffer.from(note.sender_person, 'base64'),
      leftAt: row.created_at,
      isRead: row.opened_at !== null,
    })
  })
  return { id }
}
