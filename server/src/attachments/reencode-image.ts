// Runs in a process of its own (image-process.ts), which may be killed at any moment and has no secrets.
import sharp from 'sharp'
import { IMAGE_MAX_PIXELS, IMAGE_STORED_SIDE } from '#contract/attachments.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { countJpegScans } from './count-jpeg-scans.ts'

// one image at a time on one thread: 50 megapixels take 200 MB, and other work needs the CPUs
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

/** Raster formats only: an SVG is a program. What a polyglot file hides is lost when its pixels are re-encoded. */
const ALLOWED_FORMATS = ['jpeg', 'png', 'webp', 'avif', 'heif', 'gif']
/** The longest side of a JPEG. A strip one pixel wide and millions of lines long takes half a minute to decode. */
const MAX_SIDE = 65_535
/** Cameras and programs write up to about twenty. */
const MAX_SCANS = 64
const WEBP_QUALITY = 82

export type StoredImage = { bytes: Uint8Array; width: number; height: number }

/** Why an image is not stored. */
export type ImageRefusal = { refused: Extract<ErrorCode, 'image_unreadable' | 'image_too_many_pixels'> }

const UNREADABLE: ImageRefusal = { refused: 'image_unreadable' }

/**
 * Re-encodes an uploaded image (decision 0057): upright, at most 2048 px, as WebP, without any metadata. Nothing of the
 * uploaded bytes survives.
 */
export async function reencodeImage(upload: Buffer): Promise<StoredImage | ImageRefusal> {
  if (countJpegScans(upload) > MAX_SCANS) return UNREADABLE
  try {
    const image = sharp(upload, { limitInputPixels: false, failOn: 'error', pages: 1 })
    const { format, width, height } = await image.metadata()
    if (!format || !ALLOWED_FORMATS.includes(format) || !width || !height) return UNREADABLE
    // read from the header, before a single pixel is decoded
    if (width * height > IMAGE_MAX_PIXELS) return { refused: 'image_too_many_pixels' }
    if (Math.max(width, height) > MAX_SIDE) return UNREADABLE
    const { data, info } = await sharp(upload, { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error', pages: 1 })
      .autoOrient()
      .resize({ width: IMAGE_STORED_SIDE, height: IMAGE_STORED_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: WEBP_QUALITY })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch {
    return UNREADABLE
  }
}
