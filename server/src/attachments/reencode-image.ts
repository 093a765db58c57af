import sharp from 'sharp'
import { IMAGE_MAX_PIXELS, IMAGE_STORED_SIDE } from '#contract/attachments.ts'
import { createSemaphore } from '../limits/semaphore.ts'
import { refuse } from '../refusal.ts'

// one image at a time on one thread: 50 megapixels take 200 MB, and other requests need the CPUs
sharp.concurrency(1)
sharp.cache(false)
// uploads never reach the loaders of other formats the library knows (SVG, PDF, …)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadHeif',
    'VipsForeignLoadNsgif',
  ],
})
const imageSemaphore = createSemaphore(1, 16)

/** Raster formats only: an SVG is a program. What a polyglot file hides is lost when its pixels are re-encoded. */
const ALLOWED_FORMATS = ['jpeg', 'png', 'webp', 'avif', 'heif', 'gif']
/** The longest side of a JPEG. A strip one pixel wide and millions of lines long takes half a minute to decode. */
const MAX_SIDE = 65_535
const WEBP_QUALITY = 82

export type StoredImage = { bytes: Buffer; width: number; height: number }

/**
 * Re-encodes an uploaded image (decision 0057): upright, at most 2048 px, as WebP, without any metadata. Nothing of the
 * uploaded bytes survives.
 *
 * Refuses with `image_unreadable` or `image_too_many_pixels`.
 */
export const reencodeImage = (upload: Buffer): Promise<StoredImage> =>
  imageSemaphore(async () => {
    const image = sharp(upload, { limitInputPixels: false, failOn: 'error', pages: 1 })
    const { format, width, height } = await image.metadata().catch(() => refuse('image_unreadable'))
    if (!format || !ALLOWED_FORMATS.includes(format) || !width || !height) refuse('image_unreadable')
    // read from the header, before a single pixel is decoded
    if (width * height > IMAGE_MAX_PIXELS) refuse('image_too_many_pixels')
    if (Math.max(width, height) > MAX_SIDE) refuse('image_unreadable')
    const { data, info } = await sharp(upload, { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error', pages: 1 })
      .autoOrient()
      .resize({ width: IMAGE_STORED_SIDE, height: IMAGE_STORED_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: WEBP_QUALITY })
      .toBuffer({ resolveWithObject: true })
      .catch(() => refuse('image_unreadable'))
    return { bytes: data, width: info.width, height: info.height }
  })
