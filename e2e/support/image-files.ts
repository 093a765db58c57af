import jsQr from 'jsqr'
import sharp from 'sharp'
import { readHeic } from '../../server/src/test/image-bytes.ts'
import { HOSTILE } from './people.ts'

/** A file for a file field. */
type UploadFile = { name: string; mimeType: string; buffer: Buffer }

/** Returns a photo of one colour, `side` pixels wide and three quarters of that high. */
export const photo = async (side = 800): Promise<UploadFile> => ({
  name: `${HOSTILE}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: side, height: (side * 3) / 4, channels: 3, background: '#c0392b' } })
    .jpeg()
    .toBuffer(),
})

/** Returns a photo as phones take it, red above blue, which the browsers of these tests cannot decode. */
export const heicPhoto = (): UploadFile => ({
  name: 'IMG_0001.HEIC',
  mimeType: 'image/heic',
  buffer: readHeic('plain'),
})

/** Returns a file that only claims to be an image. */
export const invalidImage = (bytes: number): UploadFile => ({
  name: `${HOSTILE}.png`,
  mimeType: 'image/png',
  buffer: Buffer.alloc(bytes, 'not an image '),
})

// a CommonJS module: its types name the function `default`, which Node makes the module itself
const decodeQr = jsQr as unknown as typeof jsQr.default

/** Reads the QR code of a picture that is shown at 40 % of its size; undefined: there is none to be read. */
export async function readCode(png: Buffer): Promise<string | undefined> {
  const { width } = await sharp(png).metadata()
  const { data, info } = await sharp(png)
    .resize(Math.round(width * 0.4))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQr(new Uint8ClampedArray(data), info.width, info.height)?.data
}
