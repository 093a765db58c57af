import { crc32, deflateSync } from 'node:zlib'

/** Builds image files no camera writes: with any metadata beside the picture, and declaring any size. */

export const u16 = (n: number) => Buffer.from([n >> 8, n & 255])
export const u32 = (n: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}

type Tag = { tag: number; type: 'ascii' | 'short' | 'rational' | 'undefined' | 'ifd'; value: string | number[] | Tag[] }
const TYPES = { undefined: 7, ascii: 2, short: 3, rational: 5, ifd: 4 }

/** Builds an Exif block (CIPA DC-008): big-endian TIFF, directories within directories. */
export function buildExif(tags: Tag[]): Buffer {
  const directory = (entries: Tag[], at: number): Buffer => {
    let next = at + 2 + entries.length * 12 + 4
    const values: Buffer[] = []
    const lines = [...entries]
      .sort((a, b) => a.tag - b.tag)
      .map(({ tag, type, value }) => {
        const bytes = valueBytes(type, value, next, directory)
        const count =
          type === 'ifd' ? 1 : type === 'rational' ? bytes.length / 8 : bytes.length / (type === 'short' ? 2 : 1)
        const inline = type !== 'ifd' && bytes.length <= 4
        const field = inline ? Buffer.concat([bytes, Buffer.alloc(4 - bytes.length)]) : u32(next)
        if (!inline) {
          values.push(bytes)
          next += bytes.length
        }
        return Buffer.concat([u16(tag), u16(TYPES[type]), u32(count), field])
      })
    return Buffer.concat([u16(entries.length), ...lines, u32(0), ...values])
  }
  return Buffer.concat([Buffer.from('MM\0*'), u32(8), directory(tags, 8)])
}

function valueBytes(
  type: Tag['type'],
  value: Tag['value'],
  at: number,
  directory: (tags: Tag[], at: number) => Buffer,
) {
  if (type === 'ifd') return directory(value as Tag[], at)
  if (type === 'short') return Buffer.concat((value as number[]).map(u16))
  if (type === 'rational') return Buffer.concat((value as number[]).flatMap((n) => [u32(n), u32(1)]))
  return Buffer.from(type === 'ascii' ? `${value as string}\0` : (value as string), 'latin1')
}

/** Builds a segment of a JPEG file (ITU T.81, B.1.1.4). */
export const jpegSegment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data])

/** Returns the JPEG with more segments at its beginning. */
export const insertJpegSegments = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

const BITS_OF_RUN = 14
/** The codes of this Huffman table are the numbers of its symbols in four bits. */
const RUN_SYMBOLS = Array.from({ length: BITS_OF_RUN + 1 }, (_, bits) => bits << 4)

/** Packs bits into the coded data of a JPEG, with a zero after each 255. */
function packBits(bits: string): Buffer {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1')
  const bytes = (padded.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2))
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])))
}

/** Codes 'nothing in this many blocks' (ITU T.81, G.1.2.2). */
function codeEmptyBlocks(blocks: number): string {
  let bits = ''
  for (let left = blocks; left > 0; ) {
    const size = Math.min(BITS_OF_RUN, 31 - Math.clz32(left))
    const run = Math.min(left, 2 ** (size + 1) - 1)
    bits += size.toString(2).padStart(4, '0')
    if (size > 0) bits += (run - 2 ** size).toString(2).padStart(size, '0')
    left -= run
  }
  return bits
}

/**
 * Builds a progressive JPEG of one colour (ITU T.81, G) that comes in 2,647 scans, as many as the standard allows: each bit
 * of each coefficient of each component has one of its own.
 *
 * @param side in pixels, a multiple of eight
 */
export function buildJpegOfManyScans(side: number): Buffer {
  const blocks = (side / 8) ** 2
  const components = [1, 2, 3]
  const table = (kind: number, lengths: number[], symbols: number[]) =>
    jpegSegment(0xc4, Buffer.from([kind, ...lengths, ...Array<number>(16 - lengths.length).fill(0), ...symbols]))
  const scan = (ids: number[], from: number, to: number, high: number, low: number, data: Buffer) =>
    Buffer.concat([
      jpegSegment(0xda, Buffer.from([ids.length, ...ids.flatMap((id) => [id, 0]), from, to, (high << 4) | low])),
      data,
    ])
  const empty = packBits(codeEmptyBlocks(blocks))
  const details = components.flatMap((id) =>
    Array.from({ length: 63 }, (_, i) =>
      Array.from({ length: 14 }, (_, bit) => scan([id], i + 1, i + 1, bit === 0 ? 0 : 14 - bit, 13 - bit, empty)),
    ).flat(),
  )
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    jpegSegment(
      0xc2,
      Buffer.concat([
        Buffer.from([8]),
        u16(side),
        u16(side),
        Buffer.from([3]),
        ...components.map((id) => Buffer.from([id, 0x11, 0])),
      ]),
    ),
    table(0x00, [1], [0]),
    table(0x10, [0, 0, 0, RUN_SYMBOLS.length], RUN_SYMBOLS),
    scan(components, 0, 0, 0, 0, packBits('0'.repeat(3 * blocks))),
    ...details,
    Buffer.from([0xff, 0xd9]),
  ])
}

/** Builds a chunk of a PNG with its length and checksum (PNG §5.3). */
export const pngChunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([u32(data.length), body, u32(crc32(body))])
}

const PNG_HEAD_BYTES = 8 + 25

/** Returns the PNG with more chunks after its header. */
export const insertPngChunks = (png: Buffer, ...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, PNG_HEAD_BYTES), ...chunks, png.subarray(PNG_HEAD_BYTES)])

/**
 * Builds a PNG of one colour: small as a file, large once it is decoded. `bits` are those of a sample; `colour` is the colour
 * type (W3C PNG §11.2.1): 0 grey, 6 red, green, blue and alpha.
 */
export function buildFlatPng(
  width: number,
  height: number,
  { bits, colour }: { bits: 1 | 8 | 16; colour: 0 | 6 },
): Buffer {
  const row = Math.ceil((width * bits * (colour === 6 ? 4 : 1)) / 8) + 1
  return assemblePng(width, height, bits, colour, deflateSync(Buffer.alloc(row * height), { level: 9 }))
}

/** Builds a PNG that declares this size and contains next to nothing. */
export const buildEmptyPng = (width: number, height: number): Buffer =>
  assemblePng(width, height, 8, 6, deflateSync(Buffer.alloc(1_000)))

const assemblePng = (width: number, height: number, bits: number, colour: number, data: Buffer) =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([bits, colour, 0, 0, 0])])),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ])

const riffChunk = (name: string, data: Buffer) => {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(name, 'latin1'), size, data, Buffer.alloc(data.length & 1)])
}

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

const HAS = { ICCP: 0x20, EXIF: 0x08, 'XMP ': 0x04 }

/** Returns a simple WebP with metadata added. */
export function addWebpMetadata(
  webp: Buffer,
  size: { width: number; height: number },
  extra: Record<string, Buffer>,
): Buffer {
  const flags = Object.keys(extra).reduce((sum, name) => sum | (HAS[name as keyof typeof HAS] ?? 0), 0)
  const head = Buffer.alloc(10)
  head[0] = flags
  head.writeUIntLE(size.width - 1, 4, 3)
  head.writeUIntLE(size.height - 1, 7, 3)
  const { ICCP, ...rest } = extra
  const picture = webpChunks(webp).filter(({ name }) => name !== 'VP8X')
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    riffChunk('VP8X', head),
    ...(ICCP ? [riffChunk('ICCP', ICCP)] : []),
    ...picture.map(({ name, data }) => riffChunk(name, data)),
    ...Object.entries(rest).map(([name, data]) => riffChunk(name, data)),
  ])
  return riffChunk('RIFF', body)
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

/** Builds a box of an ISO base media file (ISO/IEC 14496-12, 4.2). */
export const box = (name: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), Buffer.from(name, 'latin1'), body])
}

/** Returns a box of an ISO base media file (ISO/IEC 14496-12), wherever it is, with its header. */
const findBox = (file: Buffer, name: string): Buffer => {
  const at = file.indexOf(name, 0, 'latin1') - 4
  return file.subarray(at, at + file.readUInt32BE(at))
}

/**
 * Builds an AVIF whose picture is a grid (ISO/IEC 23008-12, 6.6.2.3) of one repeated tile.
 *
 * @param tile an AVIF of one picture
 * @param side of the tile, in pixels
 */
export function buildGridAvif(tile: Buffer, side: number, columns: number, rows: number): Buffer {
  const picture = findBox(tile, 'mdat').subarray(8)
  const grid = Buffer.concat([Buffer.from([0, 1, rows - 1, columns - 1]), u32(side * columns), u32(side * rows)])
  const full = (version: number) => Buffer.from([version, 0, 0, 0])
  const item = (id: number, type: string) => box('infe', full(2), u16(id), u16(0), Buffer.from(`${type}\0`))
  const size = (width: number, height: number) => box('ispe', full(0), u32(width), u32(height))
  const ftyp = findBox(tile, 'ftyp')
  const meta = (at: number) =>
    box(
      'meta',
      full(0),
      box('hdlr', full(0), u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      box('pitm', full(0), u16(1)),
      box('iinf', full(0), u16(2), item(1, 'grid'), item(2, 'av01')),
      box(
        'iref',
        full(0),
        box('dimg', u16(1), u16(rows * columns), ...Array.from({ length: rows * columns }, () => u16(2))),
      ),
      box(
        'iprp',
        box('ipco', size(side * columns, side * rows), size(side, side), findBox(tile, 'av1C'), findBox(tile, 'pixi')),
        box('ipma', full(0), u32(2), u16(1), Buffer.from([2, 1, 4]), u16(2), Buffer.from([3, 2, 0x83, 4])),
      ),
      // the locations: four bytes each for the offset and the length
      box(
        'iloc',
        full(0),
        Buffer.from([0x44, 0]),
        u16(2),
        u16(1),
        u16(0),
        u16(1),
        u32(at),
        u32(grid.length),
        u16(2),
        u16(0),
        u16(1),
        u32(at + grid.length),
        u32(picture.length),
      ),
    )
  const at = ftyp.length + meta(0).length + 8
  return Buffer.concat([ftyp, meta(at), box('mdat', grid, picture)])
}
