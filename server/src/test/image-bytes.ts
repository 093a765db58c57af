import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Builds image files no camera writes: with any metadata beside the picture, and declaring any size. */

const u16 = (n: number) => Buffer.from([n >> 8, n & 255])
const u32 = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}

/** Builds a segment of a JPEG file (ITU T.81, B.1.1.4). */
export const jpegSegment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data])

/** Returns the JPEG with more segments at its beginning. */
export const insertJpegSegments = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

/** Builds a progressive JPEG (ITU T.81, G) that repeats its last scan hundreds of times, which decoders put up with. */
export async function buildJpegOfManyScans(side: number): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: side, height: side, channels: 3, background: '#456' } })
    .jpeg({ progressive: true })
    .toBuffer()
  const end = jpeg.length - 2
  const lastScan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), end)
  return Buffer.concat([jpeg.subarray(0, end), ...Array<Buffer>(500).fill(lastScan), jpeg.subarray(end)])
}

/** Builds a chunk of a PNG with its length and checksum (PNG §5.3). */
const pngChunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}

/** Builds a PNG that declares this size and contains next to nothing. */
export const buildEmptyPng = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([8, 6, 0, 0, 0])])),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])

/** Returns the chunks of a WebP file (RFC 9649 §2.3). */
export function webpChunks(webp: Buffer): { name: string; data: Buffer }[] {
  const chunks = []
  for (let at = 12; at + 8 <= webp.length; ) {
    const size = webp.readUInt32LE(at + 4)
    chunks.push({ name: webp.toString('latin1', at, at + 4), data: webp.subarray(at + 8, at + 8 + size) })
    at += 8 + size + (size & 1)
  }
  return chunks
}

/** Builds a GIF with many frames of one pixel each on a screen of this size (GIF89a). */
export function buildGif(width: number, height: number, frames: number): Buffer {
  const le = (n: number) => Buffer.from([n & 255, n >> 8])
  const screen = Buffer.concat([
    Buffer.from('GIF89a'),
    le(width),
    le(height),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ])
  const frame = Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0]),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]),
  ])
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])])
}

/** Reads one of the HEIC files of tests, which nothing here can write; `server/src/test/heic/README.md` says what each is. */
export const readHeic = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'heic', `${name}.heic`))
