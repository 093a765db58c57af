import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/documents.ts'
import { IdParam } from '#contract/endpoint.ts'
import type { ImageProcesses } from '../attachments/image-processes.ts'
import { createUploadMemory, readUpload, type UploadRefusals } from '../attachments/read-upload.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { downloadRoute, parseInput, userRoute } from '../http/route.ts'
import { personLimitKey } from '../limits/canonical-address.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { createSlots } from '../limits/slots.ts'
import { refuse } from '../refusal.ts'
import { findOwnVehicle } from '../vehicles/queries.ts'
import { deleteDocument, findFreePosition, openDocument, storeDocument } from './documents.ts'
import { inboundMailRoute } from './inbound-mail.ts'
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

/** Limits the memory of the uploads in progress: eight of the largest. */
const UPLOAD_MEMORY_BYTES = 8 * contract.DOCUMENT_MAX_BYTES
/** What a form needs beside its file. */
const FORM_BYTES = 64 * 1024

const REFUSALS: UploadRefusals = { missing: 'document_missing', tooLarge: 'document_too_large' }

/**
 * Registers what concerns the documents of a dispute (decision plate-disputes): their upload by either side, their opening by the admin
 * who decides, and the hook for those that come by email.
 *
 * @param images decodes uploaded photos
 */
export async function documentRoutes(app: FastifyInstance, context: AppContext, images: ImageProcesses) {
  userRoute(app, contract.listDocuments, ({ id }, actor) => listDocuments(context.db, actor.id, id))
  userRoute(app, contract.deleteDocument, ({ id }, actor) => deleteDocument(context, actor.id, id))
  await registerUpload(app, context, images)
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
  await inboundMailRoute(app, context)
}

async function registerUpload(app: FastifyInstance, context: AppContext, images: ImageProcesses) {
  const { db, config, keyring } = context
  const acquireSlot = createSlots({ perUser: scaleLimit(LIMITS.concurrentDocuments.max, config) })
  const openMemory = createUploadMemory(UPLOAD_MEMORY_BYTES)
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: contract.DOCUMENT_MAX_BYTES, files: 1, fields: 5, fieldSize: 1000, parts: 6 },
    })
    scope.post(
      contract.uploadDocument.path,
      {
        config: { endpoint: contract.uploadDocument },
        bodyLimit: contract.DOCUMENT_MAX_BYTES + FORM_BYTES,
        onRequest: async (request) => {
          images.refuseIfFull()
          request.actor = await app.authenticate(request)
        },
      },
      async (request, reply) => {
        const actor = request.actor ?? refuse('signed_out')
        const { id: vehicleId } = parseInput(IdParam, request.params)
        // before the file is received for nothing
        await findFreePosition(db, actor.id, vehicleId)
        const releaseSlot = acquireSlot(actor.id)
        try {
          const memory = openMemory()
          try {
            await enforceLimit(
              db,
              config,
              'documentsPerDay',
              personLimitKey(keyring, 'documents', actor.personHash),
              'documents',
            )
            const upload = await readUpload(request, memory, REFUSALS)
            reply.code(201).header('cache-control', 'no-store')
            return await storeDocument(context, images, { ownerId: actor.id, vehicleId }, upload)
          } finally {
            memory.release()
          }
        } finally {
          releaseSlot()
        }
      },
    )
  })
}
