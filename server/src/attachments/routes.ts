import type { FastifyInstance } from 'fastify'
import { getImage, IMAGE_MAX_BYTES, uploadAttachment } from '#contract/attachments.ts'
import type { AppContext } from '../context.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit, userLimitKey } from '../limits/rate-limiter.ts'
import { refuse } from '../refusal.ts'
import { DRIVER_LINK, readDriverLink } from './driver-image.ts'
import { fileNameOfLink } from './image-link.ts'
import type { ImageProcesses } from './image-processes.ts'
import { findAttachment, findDriverAttachment } from './queries.ts'
import { readImage, storeImage } from './store-image.ts'
import { uploadRoute } from './upload-route.ts'

/**
 * Registers the upload and the public download of images in messages (decision photos-and-files).
 *
 * @param images decodes the uploads
 */
export async function attachmentRoutes(app: FastifyInstance, context: AppContext, images: ImageProcesses) {
  await uploadRoute(app, images, {
    endpoint: uploadAttachment,
    maxBytes: IMAGE_MAX_BYTES,
    atOnce: 24,
    perUser: scaleLimit(LIMITS.concurrentUploads.max, context.config),
    refusals: { missing: 'image_missing', tooLarge: 'image_too_large' },
    admit: ({ id }) => enforceUploadLimit(context, id),
    store: ({ id }, _, upload) => storeImage(context, images, id, upload),
  })

  const config = { endpoint: getImage }
  app.get<{ Params: { file: string } }>(getImage.path, { config }, async (request, reply) => {
    const link = /^([A-Za-z0-9_-]{43,64})\.webp$/.exec(request.params.file)?.[1] ?? refuse('not_found')
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

const enforceUploadLimit = ({ db, config, keyring }: AppContext, userId: string): Promise<void> =>
  enforceLimit(db, config, 'uploadsPerDay', userLimitKey(keyring, 'upload', userId), 'uploads')
