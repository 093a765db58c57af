import type { MessageReason } from '#contract/messages.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { decryptText, type Keyring } from '../encryption/envelope-encryption.ts'
import { encryptContent, encryptPerson, encryptReply, replyAssociatedData } from './message-encryption.ts'

// The rows of notes among the messages (decision windshield-note). What their senders see of them depends on the reply alone.

/** Inserts the row of a note for its sender: no plate, no text. Returns its id. */
export const insertNoteMessage = async (
  tx: Db,
  keyring: Keyring,
  { noteId, senderId }: { noteId: string; senderId: string },
): Promise<string> => {
  const id = newId()
  await tx`
    insert into messages (id, addressed_to, sender_id, is_note, content_encrypted)
    values (${id}, ${noteId}, ${senderId}, true, ${encryptContent(keyring, { id, vehicleId: noteId }, { text: '' })})`
  return id
}

/** Locks the row of a note, before the note itself: in the order in which the deletion of an account does. */
export const lockNoteMessage = async (tx: Db, id: string | null): Promise<void> => {
  await tx`select from messages where id = ${id} for no key update`
}

/** Stores the reply to a note for its sender. Returns the sender's account; null when it is gone. */
export const setNoteReply = async (
  tx: Db,
  keyring: Keyring,
  { id, noteId }: { id: string; noteId: string },
  reply: string,
): Promise<string | null> => {
  const [row] = await tx<{ sender_id: string | null }[]>`
    update messages set reply_encrypted = ${encryptReply(keyring, { id, vehicleId: noteId }, reply)}, replied_at = now()
    where id = ${id} and is_note and reply_encrypted is null
    returning sender_id`
  return row?.sender_id ?? null
}

type ClaimedNote = {
  /** The sender's row; null: it is gone. */
  messageId: string | null
  noteId: string
  vehicleId: string
  content: string
  reason: MessageReason | null
  /** `hashPerson` of the sender. */
  person: Buffer
  leftAt: string
  isRead: boolean
}

/**
 * Makes a note a message to a vehicle. Its sender's row stays as it was; a note whose sender's account is gone gets a row
 * of its own. Returns the id of the message.
 */
export async function deliverNote(tx: Db, keyring: Keyring, note: ClaimedNote): Promise<string> {
  const { vehicleId, content, reason, person, leftAt, isRead } = note
  const [found] = await tx<{ id: string; reply_encrypted: Buffer | null }[]>`
    select id, reply_encrypted from messages where id = ${note.messageId} and is_note`
  const id = found?.id ?? newId()
  const ref = { id, vehicleId }
  const encryptedContent = encryptContent(keyring, ref, { text: content })
  const encryptedPerson = encryptPerson(keyring, 'sender_person', ref, person)
  if (!found) {
    await tx`
      insert into messages (id, vehicle_id, addressed_to, is_note, content_encrypted, sender_person_encrypted, reason,
        is_read, inserted_at)
      values (${id}, ${vehicleId}, ${vehicleId}, true, ${encryptedContent}, ${encryptedPerson}, ${reason}, ${isRead},
        ${leftAt})`
    return id
  }
  const reply =
    found.reply_encrypted &&
    encryptReply(
      keyring,
      ref,
      decryptText(keyring, replyAssociatedData({ id, vehicleId: note.noteId }), found.reply_encrypted),
    )
  await tx`
    update messages set vehicle_id = ${vehicleId}, addressed_to = ${vehicleId}, content_encrypted = ${encryptedContent},
      sender_person_encrypted = ${encryptedPerson}, reason = ${reason}, is_read = ${isRead}, reply_encrypted = ${reply}
    where id = ${id}`
  return id
}
