import { randomBytes } from 'node:crypto'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { ATTACHMENTS_PATH, type Attachment, IMAGE_MAX_BYTES, STORAGE_PATH } from '#contract/attachments.ts'
import { newId } from '../db/ids.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { newDataKey, openBytes, openEnvelope, type Place, sealBytes, UnsealError } from '../sealing/seal.ts'
import { fileName, imageUrl } from './image-url.ts'
import { type AttachmentRow, findAttachment, insertAttachment } from './queries.ts'
import { reencodeImage } from './reencode-image.ts'

const place = (id: string): Place => ({ table: 'attachments', column: 'file', id })

/** Upload and public reading of message images (design decision 12, design §3). */
export async function attachmentRoutes(app: FastifyInstance, parts: Parts) {
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
        if (!request.isMultipart()) refuse('image_missing')
        const part = (await request.file()) ?? refuse('image_missing')
        const upload = await part.toBuffer()
        if (part.fieldname !== 'file' || upload.length === 0) refuse('image_missing')
        reply.code(201).header('cache-control', 'no-store')
        return storeImage(parts, actor.id, upload)
      },
    )
  })

  app.get<{ Params: { file: string } }>(`${STORAGE_PATH}/:file`, async (request, reply) => {
    const name = /^([A-Za-z0-9_-]{43})\.webp$/.exec(request.params.file)?.[1] ?? refuse('not_found')
    const row = (await findAttachment(parts.db, name)) ?? refuse('not_found')
    const sealed = (await parts.files.get(fileName(name))) ?? refuse('not_found')
    const bytes = openImage(parts, row, sealed) ?? refuse('not_found')
    return (
      reply
        .type('image/webp')
        .header('content-disposition', 'inline')
        // an hour in the reader's own cache: a deleted message takes its image along soon everywhere
        .header('cache-control', 'private, max-age=3600, no-transform')
        .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
        .send(bytes)
    )
  })
}

/** The image, or null when its file was damaged or is another's. */
function openImage({ keyring, log }: Parts, { id, key_envelope }: AttachmentRow, sealed: Buffer): Buffer | null {
  try {
    return openBytes(openEnvelope(keyring, place(id), key_envelope), place(id), sealed)
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    log.error({ attachment: id }, 'an attachment cannot be opened')
    return null
  }
}

/** Draws the image anew, seals it and keeps it until a message takes it, an hour at most. */
async function storeImage(parts: Parts, uploaderId: string, upload: Buffer): Promise<Attachment> {
  const { bytes, width, height } = await reencodeImage(upload)
  const id = newId()
  const name = randomBytes(32).toString('base64url')
  const { dataKey, envelope } = newDataKey(parts.keyring, place(id))
  // the row first: a file without a row would never be found again, a row without a file is purged with its hour
  await insertAttachment(parts.db, {
    id,
    uploader_id: uploaderId,
    name,
    key_envelope: envelope,
    size: bytes.length,
    width,
    height,
  })
  await parts.files.put(fileName(name), sealBytes(dataKey, place(id), bytes))
  return { id, url: imageUrl(name) }
}
