import type { NewMessage } from '#contract/messages.ts'
import { formatNoteCode } from '#contract/note-code.ts'
import { plateKey } from '#contract/plates.ts'
import type { Locale } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import { inTransaction } from '../db/transaction.ts'
import { countNote } from '../messages/count-note.ts'
import { insertNoteMessage } from '../messages/note-rows.ts'
import { identifySender, resolveSendLimits, senderRetryAfterS } from '../messages/send-limits.ts'
import { refuse } from '../refusal.ts'
import { chooseCode, deriveNoteKeys, encryptNote } from './note-encryption.ts'
import type { NoteContext } from './note-tries.ts'
import { insertNote } from './queries.ts'

/**
 * Leaves a note (decision windshield-note): its code is returned this once, and neither it nor the plate is stored. Whether the plate is
 * registered is not looked at. Photos stay out of notes: the file of one is readable with the master key alone, and a reader
 * of a note has not chosen to see what a stranger photographed. The particulars of a collision go to an owner only, whom
 * nobody knows here.
 *
 * Refuses with `note_text_only`, and with `too_many_requests` over the sender's limits on sending.
 */
export async function leaveNote(
  context: NoteContext,
  sender: { id: string; personHash: Buffer; ip: string; locale: Locale },
  { plate, content, reason, province, attachment_id, collision }: NewMessage,
): Promise<{ code: string; expires_at: string }> {
  const { config, db, keyring, hashInTurn } = context
  if (attachment_id !== undefined || collision !== undefined) refuse('note_text_only')
  const identified = identifySender(keyring, sender)
  const limits = resolveSendLimits(config)
  if (!(await countNote(db, identified, limits))) {
    refuse('too_many_requests', { limit: 'messages', retryAfterS: await senderRetryAfterS(db, identified, limits) })
  }
  const code = chooseCode()
  const { codeHash, secret } = await hashInTurn(null, () => deriveNoteKeys(context, code, plateKey(plate)))
  const id = newId()
  const encrypted = encryptNote(keyring, id, secret, {
    version: 1,
    content,
    reason: reason ?? null,
    language: sender.locale,
    province: province ?? null,
    sender_person: identified.person.toString('base64'),
  })
  const expires_at = await inTransaction(db, async (tx) => {
    const message_id = await insertNoteMessage(tx, keyring, { noteId: id, senderId: sender.id })
    return insertNote(tx, { id, message_id, code_hash: codeHash, ...encrypted })
  })
  return { code: formatNoteCode(code), expires_at }
}
