import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ATTACHMENTS_PATH, IMAGE_MAX_BYTES, STORAGE_PATH } from '#contract/attachments.ts'
import type { AppContext } from '../context.ts'
import { reportUndecryptable } from '../encryption/decrypt-for-display.ts'
import { DecryptionError, decryptBytes, unwrapDataKey } from '../encryption/envelope-encryption.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit, userLimitKey } from '../limits/rate-limiter.ts'
import { refuse } from '../refusal.ts'
import { imageFileName } from './image-url.ts'
import { type AttachmentRow, findAttachment } from './queries.ts'
import { imageAssociatedData, storeImage } from './store-image.ts'
import { createUploadSlots } from './upload-slots.ts'

/** Registers the upload and the public download of images in messages (decision 0057). */
export async function attachmentRoutes(app: FastifyInstance, context: AppContext) {
  const acquireSlot = createUploadSlots(scaleLimit(LIMITS.concurrentUploads.max, context.config))
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: IMAGE_MAX_BYTES, files: 1, fields: 5, fieldSize: 1000, parts: 6 },
    })
    scope.post(
      ATTACHMENTS_PATH,
      {
        bodyLimit: IMAGE_MAX_BYTES + 64 * 1024,
        onRequest: async (request) => {
          request.actor = await app.authenticate(request)
        },
      },
      async (request, reply) => {
        const actor = request.actor ?? refuse('signed_out')
        const releaseSlot = acquireSlot(actor.id)
        try {
          await enforceUploadLimit(context, actor.id)
          const upload = await readUpload(request)
          reply.code(201).header('cache-control', 'no-store')
          return await storeImage(context, actor.id, upload)
        } finally {
          releaseSlot()
        }
      },
    )
  })

  app.get<{ Params: { file: string } }>(`${STORAGE_PATH}/:file`, async (request, reply) => {
    const name = /^([A-Za-z0-9_-]{43})\.webp$/.exec(request.params.file)?.[1] ?? refuse('not_found')
    const row = (await findAttachment(context.db, name)) ?? refuse('not_found')
    const encrypted = (await context.files.get(imageFileName(name))) ?? refuse('not_found')
    const bytes = decryptImage(context, row, encrypted) ?? refuse('not_found')
    return (
      reply
        .type('image/webp')
        .header('content-disposition', 'inline')
        // an hour in the browser's own cache only: the image of a deleted message is soon gone everywhere
        .header('cache-control', 'private, max-age=3600, no-transform')
        .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
        .send(bytes)
    )
  })
}

/** Counts an upload before its file is read, so that one over the limit is not received for nothing. */
const enforceUploadLimit = ({ db, config, keyring }: AppContext, userId: string): Promise<void> =>
  enforceLimit(db, config, 'uploadsPerDay', userLimitKey(keyring, 'upload', userId), 'uploads')

/** Reads the file of a form. Refuses with `image_missing`, also for a truncated form, and `image_too_large`. */
async function readUpload(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) refuse('image_missing')
  try {
    const part = await request.file()
    const upload = await part?.toBuffer()
    if (part?.fieldname === 'file' && upload && upload.length > 0) return upload
  } catch (error) {
    // the plugin's own errors have a status; without one, its parser could not read the form
    if ((error as { statusCode?: number }).statusCode !== undefined) throw error
  }
  return refuse('image_missing')
}

/** Decrypts an image. Returns null when its file was damaged or belongs to another image. */
function decryptImage(
  { keyring, log }: AppContext,
  { id, key_envelope }: AttachmentRow,
  encrypted: Buffer,
): Buffer | null {
  try {
    return decryptBytes(
      unwrapDataKey(keyring, imageAssociatedData(id), key_envelope),
      imageAssociatedData(id),
      encrypted,
    )
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    reportUndecryptable(log, imageAssociatedData(id))
    return null
  }
}
