import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { getImage, IMAGE_MAX_BYTES, uploadAttachment } from '#contract/attachments.ts'
import type { AppContext } from '../context.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit, userLimitKey } from '../limits/rate-limiter.ts'
import { createSlots } from '../limits/slots.ts'
import { refuse } from '../refusal.ts'
import { DRIVER_LINK, readDriverLink } from './driver-image.ts'
import { fileNameOfLink } from './image-link.ts'
import type { ImageProcesses } from './image-processes.ts'
import { findAttachment, findDriverAttachment } from './queries.ts'
import { createUploadMemory, readUpload, type UploadRefusals } from './read-upload.ts'
import { readImage, storeImage } from './store-image.ts'

/** Limits the memory of the uploads in progress: 24 of the largest. */
const UPLOAD_MEMORY_BYTES = 24 * IMAGE_MAX_BYTES

const REFUSALS: UploadRefusals = { missing: 'image_missing', tooLarge: 'image_too_large' }

/**
 * Registers the upload and the public download of images in messages (decision photos-and-files).
 *
 * @param images decodes the uploads
 */
export async function attachmentRoutes(app: FastifyInstance, context: AppContext, images: ImageProcesses) {
  const acquireSlot = createSlots({ perUser: scaleLimit(LIMITS.concurrentUploads.max, context.config) })
  const openMemory = createUploadMemory(UPLOAD_MEMORY_BYTES)
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: IMAGE_MAX_BYTES, files: 1, fields: 5, fieldSize: 1000, parts: 6 },
    })
    scope.post(
      uploadAttachment.path,
      {
        config: { endpoint: uploadAttachment },
        bodyLimit: IMAGE_MAX_BYTES + 64 * 1024,
        onRequest: async (request) => {
          images.refuseIfFull()
          request.actor = await app.authenticate(request)
        },
      },
      async (request, reply) => {
        const actor = request.actor ?? refuse('signed_out')
        const releaseSlot = acquireSlot(actor.id)
        try {
          const memory = openMemory()
          try {
            await enforceUploadLimit(context, actor.id)
            const upload = await readUpload(request, memory, REFUSALS)
            reply.code(201).header('cache-control', 'no-store')
            return await storeImage(context, images, actor.id, upload)
          } finally {
            memory.release()
          }
        } finally {
          releaseSlot()
        }
      },
    )
  })

  const config = { endpoint: getImage }
  app.get<{ Params: { file: string } }>(getImage.path, { config }, async (request, reply) => {
    const link = /^([A-Za-z0-9_-]{43,86})\.webp$/.exec(request.params.file)?.[1] ?? refuse('not_found')
    const isDriverLink = DRIVER_LINK.test(link)
    const row =
      (isDriverLink
        ? await findImageOfDriver(context, link)
        : await findAttachment(context.db, fileNameOfLink(context.keyring, link))) ?? refuse('not_found')
    const bytes = (await readImage(context, row)) ?? refuse('not_found')
    return (
      reply
        .type('image/webp')
        .header('content-disposition', 'inline')
        // an hour in the browser's own cache only: the image of a deleted message is soon gone everywhere
        // and a former driver's at once
        .header('cache-control', isDriverLink ? 'no-store' : 'private, max-age=3600, no-transform')
        .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
        .send(bytes)
    )
  })
}

async function findImageOfDriver({ db, keyring }: AppContext, link: string) {
  const image = readDriverLink(keyring, link)
  return image && findDriverAttachment(db, image)
}

/** Counts an upload before its file is read, so that one over the limit is not received for nothing. */
const enforceUploadLimit = ({ db, config, keyring }: AppContext, userId: string): Promise<void> =>
  enforceLimit(db, config, 'uploadsPerDay', userLimitKey(keyring, 'upload', userId), 'uploads')
