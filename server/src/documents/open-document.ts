import { recordPlateAction } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import { reportUndecryptable } from '../encryption/decrypt-for-display.ts'
import { DecryptionError, decryptBytes, unwrapDataKey } from '../encryption/envelope-encryption.ts'
import type { Actor } from '../http/actor.ts'
import { refuse } from '../refusal.ts'
import { type DocumentToOpen, findDocumentToOpen } from './queries.ts'
import { documentAssociatedData, encryptedFileName } from './store-document.ts'

/**
 * Opens a document for the admin who decides, and records that they did. Refuses with `not_found`, also for an admin who has a
 * vehicle on this plate.
 */
export async function openDocument(
  context: AppContext,
  admin: Actor,
  id: string,
): Promise<{ bytes: Buffer; type: string; fileName: string }> {
  const { db, files, keyring } = context
  const document = (await findDocumentToOpen(db, id, admin.id)) ?? refuse('not_found')
  const encrypted = (await files.get(encryptedFileName(document.file_name))) ?? refuse('not_found')
  const bytes = decryptDocument(context, document, encrypted) ?? refuse('not_found')
  const { vehicle_id, plate, province, kind } = document
  await recordPlateAction(db, keyring, { id: vehicle_id, plate, province }, { actor: admin, action: 'document_opened' })
  return kind === 'pdf'
    ? { bytes, type: 'application/pdf', fileName: `${id}.pdf` }
    : { bytes, type: 'image/webp', fileName: `${id}.webp` }
}

/** Decrypts a document. Returns null when its file was damaged or belongs to another one. */
function decryptDocument(
  { keyring, log }: AppContext,
  { id, vehicle_id, key_envelope }: DocumentToOpen,
  encrypted: Buffer,
): Buffer | null {
  const associatedData = documentAssociatedData(id, vehicle_id)
  try {
    return decryptBytes(unwrapDataKey(keyring, associatedData, key_envelope), associatedData, encrypted)
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    reportUndecryptable(log, associatedData)
    return null
  }
}
