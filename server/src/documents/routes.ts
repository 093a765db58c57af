import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/documents.ts'
import { IdParam } from '#contract/endpoint.ts'
import type { ImageProcesses } from '../attachments/image-processes.ts'
import { uploadRoute } from '../attachments/upload-route.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { downloadRoute, parseInput, userRoute } from '../http/route.ts'
import { personLimitKey } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { refuse } from '../refusal.ts'
import { findOwnVehicle } from '../vehicles/queries.ts'
import { deleteDocument, findFreePosition, openDocument, storeDocument } from './documents.ts'
import { hasReceivedChallenge, listArrivals, listSentDocuments } from './queries.ts'

/** Returns what has arrived of a person's documents, without its content. Refuses with `not_found`. */
async function listDocuments(db: Db, ownerId: string, vehicleId: string): Promise<contract.ArrivedDocuments> {
  if (!(await findOwnVehicle(db, vehicleId, ownerId))) refuse('not_found')
  const items = await listSentDocuments(db, [vehicleId])
  const arrivals = await listArrivals(db, [vehicleId])
  return {
    items,
    mailed_at: arrivals.find(({ way }) => way === 'mail')?.arrived_at ?? null,
    waits_for_admin: await hasReceivedChallenge(db, vehicleId),
  }
}

/**
 * Registers what concerns the documents of a dispute (decision plate-disputes): their upload by either side, and their opening by the
 * admin who decides.
 *
 * @param images decodes uploaded photos
 */
export async function documentRoutes(app: FastifyInstance, context: AppContext, images: ImageProcesses) {
  const { db, config, keyring } = context
  userRoute(app, contract.listDocuments, ({ id }, actor) => listDocuments(db, actor.id, id))
  userRoute(app, contract.deleteDocument, ({ id }, actor) => deleteDocument(context, actor.id, id))
  await uploadRoute(app, images, {
    endpoint: contract.uploadDocument,
    maxBytes: contract.DOCUMENT_MAX_BYTES,
    atOnce: 8,
    perUser: scaleLimit(LIMITS.concurrentDocuments.max, config),
    refusals: { missing: 'document_missing', tooLarge: 'document_too_large' },
    async admit({ id, personHash }, { params }) {
      await findFreePosition(db, id, parseInput(IdParam, params).id)
      await enforceLimit(db, config, 'documentsPerDay', personLimitKey(keyring, 'documents', personHash), 'documents')
    },
    store: ({ id: ownerId }, { params }, upload) =>
      storeDocument(context, images, { ownerId, vehicleId: parseInput(IdParam, params).id }, upload),
  })
  downloadRoute(app, contract.openDocument, async ({ id }, admin, { reply }) => {
    const { bytes, type, fileName } = await openDocument(context, admin, id)
    reply
      .type(type)
      .header('content-length', bytes.length)
      // never inline, whatever the file says it is: a PDF is a program
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
    return Readable.from([bytes])
  })
}
