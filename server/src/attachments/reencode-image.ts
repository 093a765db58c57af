import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { IMAGE_MAX_PIXELS, IMAGE_STORED_SIDE } from '#contract/attachments.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { decodeHeic, type HeicPicture } from './decode-heic.ts'

const TEMPORARY = 0x01
const FIRST_RESTART = 0xd0
/** The markers of restarts and this one follow each other. */
const START = 0xd8
const END = 0xd9
const SCAN = 0xda

/** A scan of a JPEG file: the components it codes, and up to which of their 64 frequencies. */
type JpegScan = { components: number[]; lastFrequency: number | undefined }

/**
 * Finds the scans of a JPEG file (ITU T.81, B.1.1.3 and B.2.1); none in anything else. A progressive JPEG may repeat its
 * picture in thousands of scans of a few bytes each, and decoding takes the time of all of them.
 */
function findJpegScans(file: Buffer): JpegScan[] {
  if (file[0] !== 0xff || file[1] !== START) return []
  const scans: JpegScan[] = []
  for (let at = file.indexOf(0xff, 2); at >= 0; at = file.indexOf(0xff, at)) {
    const marker = file[at + 1]
    if (marker === undefined || marker === END) break
    if (marker === 0xff) {
      at += 1 // fill byte
      continue
    }
    // what follows has no length: a 255 among the coded data, or a marker of two bytes
    const alone = marker === 0 || marker === TEMPORARY || (marker >= FIRST_RESTART && marker <= START)
    if (alone || at + 4 > file.length) {
      at += 2
      continue
    }
    if (marker === SCAN) {
      const end = at + 5 + 2 * file[at + 4]!
      const components = [...file.subarray(at + 5, end)].filter((_, i) => i % 2 === 0)
      scans.push({ components, lastFrequency: file[end + 1] })
    }
    at += 2 + file.readUInt16BE(at + 2)
  }
  return scans
}

// Runs in a process of its own (image-process.ts), which may be killed at any moment and has no secrets.

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
/** How the files begin that `ALLOWED_FORMATS` are in; a film may begin as a HEIC photo does, with another brand. */
const SIGNATURE = /^(?:\xff\xd8\xff|\x89PNG|GIF8|RIFF.{4}WEBP|.{4}ftyp(?:avi[fs]|hei[cx]|hev[cx]|mif1|msf1))/s
const SIGNATURE_BYTES = 12
/** How much of an image has to be there, from its top: what was cut off is gray. */
const ENOUGH = 0.75
const LAST_FREQUENCY = 63

export type StoredImage = { bytes: Uint8Array; width: number; height: number }

/** Why an image is not stored. */
export type ImageRefusal = {
  refused: Extract<ErrorCode, 'file_incomplete' | 'image_unreadable' | 'image_too_many_pixels'>
}

const INCOMPLETE: ImageRefusal = { refused: 'file_incomplete' }
const UNREADABLE: ImageRefusal = { refused: 'image_unreadable' }
const TOO_MANY_PIXELS: ImageRefusal = { refused: 'image_too_many_pixels' }

/**
 * Re-encodes an uploaded image (decision photos-and-files): upright, at most 2048 px, as WebP, without any metadata. Nothing of the
 * uploaded bytes survives. An image that is cut off is taken when most of it is there.
 */
export async function reencodeImage(upload: Buffer): Promise<StoredImage | ImageRefusal> {
  const scans = findJpegScans(upload)
  if (scans.length > MAX_SCANS) return UNREADABLE
  try {
    const image = sharp(upload, { limitInputPixels: false, failOn: 'error', pages: 1 })
    const { format, compression, width, height, channels } = await image.metadata()
    if (!format || !ALLOWED_FORMATS.includes(format) || !width || !height) return UNREADABLE
    if (compression === 'hevc') {
      const result = await decodeHeic(upload, IMAGE_MAX_PIXELS, encodeHeicPicture)
      return result === 'too_many_pixels' ? TOO_MANY_PIXELS : result
    }
    // read from the header, before a single pixel is decoded
    if (width * height > IMAGE_MAX_PIXELS) return TOO_MANY_PIXELS
    if (Math.max(width, height) > MAX_SIDE) return UNREADABLE
    const upright = sharp(upload, { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error', pages: 1 }).autoOrient()
    return await encodeWebp(shrink(upright)).catch(async () => {
      if (countFinishedComponents(scans) < channels) await assertEnough(upload, width, height)
      return encodeWebp(shrink(sharp(upload, { failOn: 'none', limitInputPixels: IMAGE_MAX_PIXELS }).autoOrient()))
    })
  } catch {
    return SIGNATURE.test(upload.toString('latin1', 0, SIGNATURE_BYTES)) ? INCOMPLETE : UNREADABLE
  }
}

/**
 * Counts the components of which a scan up to the last frequency has ended, as another begins: with all of them, what is missing of a
 * progressive JPEG are refinements.
 */
const countFinishedComponents = (scans: JpegScan[]): number =>
  new Set(scans.slice(0, -1).flatMap((scan) => (scan.lastFrequency === LAST_FREQUENCY ? scan.components : []))).size

/** Throws when the top of an image cannot be decoded without a warning. */
async function assertEnough(upload: Buffer, width: number, height: number): Promise<void> {
  // the end that a JPEG may miss would fail before its pixels are looked at; behind another format it means nothing
  const ended = Buffer.concat([upload, Buffer.from([0xff, END])])
  const top = { left: 0, top: 0, width, height: Math.ceil(height * ENOUGH) }
  await sharp(ended, { failOn: 'warning', limitInputPixels: IMAGE_MAX_PIXELS }).extract(top).resize(1).raw().toBuffer()
}

const shrink = (image: Sharp): Sharp =>
  image.resize({ width: IMAGE_STORED_SIDE, height: IMAGE_STORED_SIDE, fit: 'inside', withoutEnlargement: true })

async function encodeWebp(image: Sharp): Promise<StoredImage> {
  const { data, info } = await image.webp({ quality: WEBP_QUALITY }).toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

/** Encodes a picture that was decoded elsewhere. */
async function encodeHeicPicture({ pixels, profile, ...raw }: HeicPicture): Promise<StoredImage> {
  const image = shrink(sharp(pixels, { raw }))
  if (profile === null) return encodeWebp(image)
  // sharp converts the colours of a file with a profile, and takes none for bare pixels
  const png = await image.png({ compressionLevel: 0 }).toBuffer()
  return encodeWebp(sharp(addPngProfile(png, profile), { failOn: 'error' }))
}

const PNG_HEAD_BYTES = 8 + 25

/** Returns the PNG with an ICC profile after its header (W3C PNG §11.3.2.3). */
function addPngProfile(png: Buffer, profile: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length - 4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([png.subarray(0, PNG_HEAD_BYTES), length, body, checksum, png.subarray(PNG_HEAD_BYTES)])
}
