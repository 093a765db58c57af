import sharp from 'sharp'
import { buildHeic, heicPicture } from '../../server/src/test/heic-bytes.ts'

/** A file for a file field. */
export type UploadFile = { name: string; mimeType: string; buffer: Buffer }

/** Returns a photo of one colour, `side` pixels wide and three quarters of that high. */
export const photo = async (side = 800): Promise<UploadFile> => ({
  name: 'my car.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: side, height: (side * 3) / 4, channels: 3, background: '#c0392b' } })
    .jpeg()
    .toBuffer(),
})

/** Returns a photo as phones take it, red above blue, which the browsers of these tests cannot decode. */
export const heicPhoto = (): UploadFile => ({
  name: 'IMG_0001.HEIC',
  mimeType: 'image/heic',
  buffer: buildHeic([heicPicture([[[200, 0, 0]], [[0, 0, 200]]])]),
})

/** Returns a file that only claims to be an image. */
export const invalidImage = (bytes: number): UploadFile => ({
  name: 'car.png',
  mimeType: 'image/png',
  buffer: Buffer.alloc(bytes, 'not an image '),
})
