import { box, u16, u32 } from './image-bytes.ts'

/**
 * Builds HEIC files (ISO/IEC 23008-12) of a few squares in one colour each. Their pictures are coded by HEVC (ITU-T H.265) in the
 * way that needs no encoder: each square is a slice of its own whose samples are stored as they are (7.3.8.7, pcm_sample).
 */

/** The colours of a picture's squares, row by row: red, green and blue from 0 to 255. */
export type Squares = Colour[][]
export type Colour = readonly [number, number, number]

/** Returns the luma, blue and red difference of a colour, in the range of video (ITU-R BT.601), which holds unless a file says else. */
function samplesOf([red, green, blue]: Colour): number[] {
  const luma = (0.299 * red + 0.587 * green + 0.114 * blue) / 255
  const [blueness, redness] = [(blue / 255 - luma) / 1.772, (red / 255 - luma) / 1.402]
  return [16 + 219 * luma, 128 + 224 * blueness, 128 + 224 * redness].map(Math.round)
}

/** The side of a square in pixels: the largest block whose samples can be stored. */
export const SQUARE = 32
type Size = { width: number; height: number }

const NAL_SLICE = 20
const NAL_PARAMETERS = { video: 32, sequence: 33, picture: 34 }
/** 'Main Still Picture', no constraints, level 6.2 (7.3.3). */
const PROFILE_AND_LEVEL = Buffer.from([3, 0x70, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 186])
/** In arithmetic code: the block is not divided further, its samples are stored. The rest of the byte is alignment. */
const BLOCK_OF_STORED_SAMPLES = Buffer.from([0x86, 0x80])
/** In arithmetic code: the slice ends here. */
const END_OF_SLICE = Buffer.from([0xfe, 0x80])

const bits = (value: number, length: number) => value.toString(2).padStart(length, '0')
/** Codes a number as ue(v) does (9.2). */
const ue = (value: number) => {
  const coded = (value + 1).toString(2)
  return '0'.repeat(coded.length - 1) + coded
}
const bitsOf = (bytes: Buffer) => [...bytes].map((byte) => bits(byte, 8)).join('')
/** Ends with a one and fills up with zeros to whole bytes. */
const packBits = (text: string): Buffer => {
  const eights = `${text}1`.padEnd(8 * Math.ceil((text.length + 1) / 8), '0').match(/.{8}/g) ?? []
  return Buffer.from(eights.map((eight) => Number.parseInt(eight, 2)))
}

/** Builds a NAL unit: no three bytes of its content look like the start of another (7.4.2). */
function nalUnit(type: number, content: Buffer): Buffer {
  const bytes = [type << 1, 1]
  let zeros = 0
  for (const byte of content) {
    if (zeros === 2 && byte <= 3) {
      bytes.push(3)
      zeros = 0
    }
    bytes.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Buffer.from(bytes)
}

/** Builds the decoder configuration of a picture of this size: its three parameter sets (7.3.2.1 to 7.3.2.3). */
function decoderConfiguration({ width, height }: Size): Buffer {
  const oneLayer = `1${ue(0)}${ue(0)}${ue(0)}`
  const video = `${bits(0, 4)}11${bits(0, 6)}${bits(0, 3)}1${bits(0xffff, 16)}${bitsOf(PROFILE_AND_LEVEL)}${oneLayer}${bits(0, 6)}${ue(0)}00`
  const blocks = ue(Math.log2(SQUARE) - 3) + ue(0) + ue(0) + ue(3) + ue(0) + ue(0)
  const storedSamples = `1${bits(7, 4)}${bits(7, 4)}${ue(Math.log2(SQUARE) - 3)}${ue(0)}1`
  const sequence = `${bits(0, 4)}${bits(0, 3)}1${bitsOf(PROFILE_AND_LEVEL)}${ue(0)}${ue(1)}${ue(width)}${ue(height)}0${ue(0)}${ue(0)}${ue(0)}${oneLayer}${blocks}000${storedSamples}${ue(0)}00000`
  const picture = `${ue(0)}${ue(0)}00${bits(0, 3)}00${ue(0)}${ue(0)}${ue(0)}000${ue(0)}${ue(0)}0000000000${ue(0)}00`
  const sets = Object.entries({ video, sequence, picture }).map(([name, text]) => {
    const type = NAL_PARAMETERS[name as keyof typeof NAL_PARAMETERS]
    const unit = nalUnit(type, packBits(text))
    return Buffer.concat([Buffer.from([0x80 | type]), u16(1), u16(unit.length), unit])
  })
  return box(
    'hvcC',
    Buffer.from([1]),
    PROFILE_AND_LEVEL,
    Buffer.from([0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, sets.length]),
    ...sets,
  )
}

/** Builds the coded data of a picture: a slice for each square (7.3.6, 7.3.8). */
function codeSquares(squares: Squares, { width, height }: Size): Buffer {
  const columns = width / SQUARE
  const addressBits = Math.ceil(Math.log2(columns * (height / SQUARE)))
  const slices = squares.flatMap((row, y) =>
    row.map((colour, x) => {
      const address = y * columns + x
      const header = `${address === 0 ? '10' : '00'}${ue(0)}${address === 0 ? '' : bits(address, addressBits)}${ue(2)}${ue(0)}`
      const [luma, blue, red] = samplesOf(colour)
      const samples = [
        Buffer.alloc(SQUARE ** 2, luma),
        Buffer.alloc((SQUARE / 2) ** 2, blue),
        Buffer.alloc((SQUARE / 2) ** 2, red),
      ]
      return nalUnit(NAL_SLICE, Buffer.concat([packBits(header), BLOCK_OF_STORED_SAMPLES, ...samples, END_OF_SLICE]))
    }),
  )
  return Buffer.concat(slices.flatMap((slice) => [u32(slice.length), slice]))
}

const full = (version: number, flags = 0) => u32((version << 24) | flags)

/** Says how large an item is (ISO/IEC 23008-12, 6.5.3). */
const itemSize = ({ width, height }: Size) => box('ispe', full(0), u32(width), u32(height))

/** Turns an item by this many quarters of a circle, anticlockwise (6.5.10). */
export const turn = (quarters: number): Buffer => box('irot', Buffer.from([quarters]))

/** Mirrors an item (6.5.12): 0 exchanges its upper and lower halves, 1 its left and right ones. */
export const mirror = (axis: 0 | 1): Buffer => box('imir', Buffer.from([axis]))

/** Shows no more of an item than this many pixels around its centre (ISO/IEC 14496-12, 12.1.4). */
export const crop = (width: number, height: number): Buffer =>
  box('clap', ...[width, 1, height, 1, 0, 1, 0, 1].map(u32))

/** Gives the colours of an item an ICC profile (ISO/IEC 14496-12, 12.1.5). */
export const colourProfile = (icc: Buffer): Buffer => box('colr', Buffer.from('prof'), icc)

/** An item of a file; other items are named by their position, from 1. */
type HeicItem = {
  type: string
  data: Buffer
  properties?: Buffer[]
  refersTo?: { as: string; items: number[] }
  hidden?: boolean
}

/**
 * Builds a picture. Its size in the coded data is `coded`, in pixels, when it is not that of the squares; what the file's header
 * says it is, is `claimed`.
 */
export function heicPicture(
  squares: Squares,
  { properties = [], coded, claimed }: { properties?: Buffer[]; coded?: Size; claimed?: Size } = {},
): HeicItem {
  const size = coded ?? { width: SQUARE * squares[0]!.length, height: SQUARE * squares.length }
  return {
    type: 'hvc1',
    data: codeSquares(squares, size),
    properties: [decoderConfiguration(size), itemSize(claimed ?? size), ...properties],
  }
}

/** Builds a picture that is put together from others of the same size (6.6.2.3), as cameras do. */
export function heicGrid(tiles: number[][], tile: Size, properties: Buffer[] = []): HeicItem {
  const [rows, columns] = [tiles.length, tiles[0]!.length]
  const size = { width: columns * tile.width, height: rows * tile.height }
  return {
    type: 'grid',
    data: Buffer.concat([Buffer.from([0, 1, rows - 1, columns - 1]), u32(size.width), u32(size.height)]),
    properties: [itemSize(size), ...properties],
    refersTo: { as: 'dimg', items: tiles.flat() },
  }
}

/** Builds an item of metadata about another one: an Exif block (A.2.1) or XMP (A.3). */
export const heicMetadata = (kind: 'Exif' | 'XMP', data: Buffer, about: number): HeicItem => ({
  type: kind === 'Exif' ? 'Exif' : 'mime',
  data: kind === 'Exif' ? Buffer.concat([u32(0), data]) : data,
  refersTo: { as: 'cdsc', items: [about] },
})

/** Builds a file of items. `primary` is the position of its main picture. */
export function buildHeic(items: HeicItem[], primary = 1): Buffer {
  const properties = items.flatMap((item) => item.properties ?? [])
  let property = 0
  const owned = items.map(({ properties: own = [] }, i) =>
    Buffer.concat([u16(i + 1), Buffer.from([own.length, ...own.map(() => ++property)])]),
  )
  const ftyp = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'))
  const meta = (at: number) => {
    let next = at
    const locations = items.map(({ data }, i) => {
      const location = Buffer.concat([u16(i + 1), u16(0), u16(1), u32(next), u32(data.length)])
      next += data.length
      return location
    })
    const entries = items.map(({ type, hidden }, i) => {
      const names = type === 'mime' ? '\0application/rdf+xml\0' : '\0'
      return box('infe', full(2, hidden ? 1 : 0), u16(i + 1), u16(0), Buffer.from(`${type}${names}`))
    })
    const references = items.flatMap(({ refersTo }, i) =>
      refersTo
        ? [box(refersTo.as, u16(i + 1), u16(refersTo.items.length), ...refersTo.items.map((item) => u16(item)))]
        : [],
    )
    return box(
      'meta',
      full(0),
      box('hdlr', full(0), u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      box('pitm', full(0), u16(primary)),
      box('iinf', full(0), u16(items.length), ...entries),
      ...(references.length > 0 ? [box('iref', full(0), ...references)] : []),
      box('iprp', box('ipco', ...properties), box('ipma', full(0), u32(items.length), ...owned)),
      box('iloc', full(0), Buffer.from([0x44, 0]), u16(items.length), ...locations),
    )
  }
  const at = ftyp.length + meta(0).length + 8
  return Buffer.concat([ftyp, meta(at), box('mdat', ...items.map(({ data }) => data))])
}
