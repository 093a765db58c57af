import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { removeDeletedFilesInBackground } from '../files/remove-deleted-files.ts'
import { refuse } from '../refusal.ts'
import { lockVehicle } from '../vehicles/queries.ts'
import { unmarkUpload } from './mark-arrived.ts'
import { countDocuments, deleteOwnDocument, findVehicleOfDocument } from './queries.ts'

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
    if ((await countDocuments(tx, vehicleId)) === 0) await unmarkUpload(tx, context.keyring, vehicleId)
  })
  removeDeletedFilesInBackground(context)
}
