import { DOCUMENTS_MAX, type DocumentKind, type SentDocument } from '#contract/documents.ts'
import type { ImageProcesses } from '../attachments/image-processes.ts'
import { recordPlateAction } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { hasDocumentsHere, lockDispute, setDocumentsReceived } from '../disputes/queries.ts'
import { openOrReport } from '../encryption/decrypt-for-display.ts'
import {
  type AssociatedData,
  decryptBytes,
  encryptBytes,
  generateDataKey,
  type Keyring,
  unwrapDataKey,
} from '../encryption/envelope-encryption.ts'
import { generateSecret } from '../encryption/secrets.ts'
import { forgetFile, rememberFile, removeDeletedFilesInBackground } from '../files/remove-deleted-files.ts'
import type { Actor } from '../http/actor.ts'
import { Refusal, refuse } from '../refusal.ts'
import { peopleOfPlate, refuseOwnCase } from '../subjects/own-case.ts'
import { findOwnVehicle, lockVehicle } from '../vehicles/queries.ts'
import {
  deleteOwnDocument,
  deleteUploadArrival,
  findDocumentToOpen,
  findOwnChallengeId,
  findSideState,
  findVehicleOfDocument,
  insertArrival,
  insertDocument,
  listSentDocuments,
} from './queries.ts'

const PDF_HEADER = /^%PDF-[12]\.\d/
const PDF_HEADER_BYTES = 8
const PDF_END = '%%EOF'
/** Readers look for the end of a PDF in its last kilobyte. */
const PDF_END_WITHIN = 1024

/**
 * Reads an uploaded document: a file that begins and ends as a PDF does (ISO 32000-2, 7.5) is kept as it came, an image is encoded
 * again, which drops where and with what it was taken. Refuses with `document_unreadable`, `file_incomplete`,
 * `image_too_many_pixels` or `busy`.
 */
async function readDocument(
  images: ImageProcesses,
  userId: string,
  upload: Buffer,
): Promise<{ kind: DocumentKind; bytes: Buffer }> {
  if (PDF_HEADER.test(upload.toString('latin1', 0, PDF_HEADER_BYTES))) {
    if (!upload.subarray(-PDF_END_WITHIN).includes(PDF_END)) refuse('file_incomplete')
    return { kind: 'pdf', bytes: upload }
  }
  try {
    const { bytes } = await images.reencode(userId, upload)
    return { kind: 'image', bytes: Buffer.from(bytes) }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'image_unreadable') refuse('document_unreadable')
    throw error
  }
}

/** Returns what the encryption of a document is bound to: its row, and the side that sent it. */
const documentAssociatedData = (id: string, vehicleId: string): AssociatedData => ({
  table: 'dispute_documents',
  column: 'file',
  id,
  boundTo: vehicleId,
})

/** Returns the name of a document's stored file. */
export const encryptedFileName = (name: string): string => `${name}.sealed`

/**
 * Returns the position that the next document of a side takes. Refuses with `not_found` when the vehicle is not this
 * person's, `documents_not_needed` when it is in no open dispute, `documents_too_late` and `documents_full`.
 */
export async function findFreePosition(db: Db, ownerId: string, vehicleId: string): Promise<number> {
  if (!(await findOwnVehicle(db, vehicleId, ownerId))) refuse('not_found')
  const side = (await findSideState(db, vehicleId)) ?? refuse('documents_not_needed')
  if (side.is_too_late) refuse('documents_too_late')
  const taken = new Set((await listSentDocuments(db, [vehicleId])).map(({ place }) => place))
  for (let place = 1; place <= DOCUMENTS_MAX; place++) if (!taken.has(place)) return place
  return refuse('documents_full')
}

/**
 * Encrypts a document of one side of a dispute and stores it; the side's documents have then arrived (decision plate-disputes). Nobody
 * but the admin who decides can read it. Refuses as `findFreePosition` and `readDocument` do.
 */
export async function storeDocument(
  { db, files, keyring }: Pick<AppContext, 'db' | 'files' | 'keyring'>,
  images: ImageProcesses,
  { ownerId, vehicleId }: { ownerId: string; vehicleId: string },
  upload: Buffer,
): Promise<SentDocument> {
  const { kind, bytes } = await readDocument(images, ownerId, upload)
  const id = newId()
  const name = generateSecret()
  const file = encryptedFileName(name)
  const associatedData = documentAssociatedData(id, vehicleId)
  const { dataKey, envelope } = generateDataKey(keyring, associatedData)
  // whatever happens from here on, a file without a row is deleted within an hour
  await rememberFile(db, file)
  await files.put(file, encryptBytes(dataKey, associatedData, bytes))
  return inTransaction(db, async (tx) => {
    await lockVehicle(tx, vehicleId)
    const place = await findFreePosition(tx, ownerId, vehicleId)
    if (!(await forgetFile(tx, file))) refuse('busy', { retryAfterS: 2 })
    const document = await insertDocument(tx, {
      id,
      vehicle_id: vehicleId,
      place,
      file_name: name,
      key_envelope: envelope,
      kind,
      size: bytes.length,
    })
    await markArrived(tx, keyring, vehicleId, { way: 'upload' })
    return document
  })
}

/** Takes a person's own document back; with the last one, it counts as not sent. Refuses with `not_found`. */
export async function deleteDocument(
  context: Pick<AppContext, 'db' | 'files' | 'keyring' | 'log'>,
  ownerId: string,
  documentId: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const vehicleId = (await findVehicleOfDocument(tx, documentId, ownerId)) ?? refuse('not_found')
    await lockVehicle(tx, vehicleId)
    if (!(await deleteOwnDocument(tx, documentId, ownerId))) refuse('not_found')
    if (!(await hasDocumentsHere(tx, vehicleId))) await unmarkUpload(tx, context.keyring, vehicleId)
  })
  removeDeletedFilesInBackground(context)
}

/**
 * Opens a document for the admin who decides, and records that they did. Refuses with `not_found`, and with
 * `own_case` an admin who is one of the plate's people.
 */
export async function openDocument(
  context: AppContext,
  admin: Actor,
  id: string,
): Promise<{ bytes: Buffer; type: string; fileName: string }> {
  const { db, files, keyring, log } = context
  const document = (await findDocumentToOpen(db, id)) ?? refuse('not_found')
  await refuseOwnCase(db, admin, peopleOfPlate(db, document))
  const encrypted = (await files.get(encryptedFileName(document.file_name))) ?? refuse('not_found')
  const { vehicle_id, plate, province, kind, key_envelope } = document
  const associatedData = documentAssociatedData(id, vehicle_id)
  const open = () => decryptBytes(unwrapDataKey(keyring, associatedData, key_envelope), associatedData, encrypted)
  const bytes = openOrReport(log, associatedData, open) ?? refuse('not_found')
  await recordPlateAction(db, keyring, { id: vehicle_id, plate, province }, { actor: admin, action: 'document_opened' })
  return kind === 'pdf'
    ? { bytes, type: 'application/pdf', fileName: `${id}.pdf` }
    : { bytes, type: 'image/webp', fileName: `${id}.webp` }
}

type Arrival = { way: 'upload' } | { way: 'mail'; mailHash: Buffer }

/**
 * Notes that documents of a side arrived, in a transaction that holds its plate. A challenge then waits for an admin and not
 * for its due date, as if an admin had noted it (decision plate-disputes). The same arrival again changes nothing.
 */
export async function markArrived(tx: Db, keyring: Keyring, vehicleId: string, arrival: Arrival): Promise<void> {
  const mailHash = arrival.way === 'mail' ? arrival.mailHash : null
  if (!(await insertArrival(tx, vehicleId, arrival.way, mailHash))) return
  const dispute = await lockOwnChallenge(tx, vehicleId)
  if (!dispute) return // an incumbent's: it never loses by the clock
  if (dispute.documents_received_at === null) {
    await recordPlateAction(tx, keyring, dispute, { actor: null, action: 'documents_received' })
  }
  // uploads can be taken back, and then only they are
  if (dispute.documents_received_at === null || dispute.documents_received_by === 'upload') {
    await setDocumentsReceived(tx, dispute.id, arrival.way)
  }
}

/** Notes that a side took its last upload back. A challenge waits for its due date again, unless documents came otherwise. */
async function unmarkUpload(tx: Db, keyring: Keyring, vehicleId: string): Promise<void> {
  await deleteUploadArrival(tx, vehicleId)
  const dispute = await lockOwnChallenge(tx, vehicleId)
  if (dispute?.documents_received_by !== 'upload') return
  await setDocumentsReceived(tx, dispute.id, null)
  await recordPlateAction(tx, keyring, dispute, { actor: null, action: 'documents_not_received' })
}

/** Locks the open challenge that a vehicle is the challenger of; undefined when it is of none. */
async function lockOwnChallenge(tx: Db, vehicleId: string) {
  const id = await findOwnChallengeId(tx, vehicleId)
  return id === undefined ? undefined : lockDispute(tx, id)
}
