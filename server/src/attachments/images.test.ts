import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { IMAGE_MAX_BYTES } from '#contract/attachments.ts'
import { accepted, testApp } from '../test/app.ts'
import { fieldsOf } from '../test/fields.ts'
import {
  buildEmptyPng,
  buildGif,
  buildJpegOfManyScans,
  insertJpegSegments,
  jpegSegment,
  readHeic,
  webpChunks,
} from '../test/image-bytes.ts'
import { downloadImage, uploadImage } from '../test/upload.ts'
import { reencodeImage } from './reencode-image.ts'

// What becomes of an uploaded image: its pixels, upright, and nothing else of it. What the libraries do with each format is theirs.

const app = await testApp({ settings: { ROLE: 'web' } })
const sender = await app.user()

type Colour = readonly [red: number, green: number, blue: number]
/** The side of a square in pixels. */
const SQUARE = 32
const [WIDTH, HEIGHT] = [3 * SQUARE, 2 * SQUARE]
const RED: Colour = [255, 0, 0]
const GREEN: Colour = [0, 255, 0]
const BLUE: Colour = [0, 0, 255]
const YELLOW: Colour = [255, 255, 0]
/** No two of its corners are alike, and it is wider than high. */
const UPRIGHT: Colour[][] = [
  [RED, RED, GREEN],
  [BLUE, BLUE, YELLOW],
]
const UPRIGHT_PIXELS = { width: WIDTH, height: HEIGHT, corners: ['#f00', '#0f0', '#00f', '#ff0'] }

/** Draws squares. */
const draw = (squares: Colour[][]) => {
  const rows = squares.flatMap((row) =>
    Array.from({ length: SQUARE }, () => Buffer.concat(row.map((c) => Buffer.from(Array(SQUARE).fill(c).flat())))),
  )
  const size = { width: SQUARE * squares[0]!.length, height: SQUARE * squares.length }
  return sharp(Buffer.concat(rows), { raw: { ...size, channels: 3 } })
}
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, noise: { type: 'gaussian', mean: 120, sigma: 40 }, background: '#444' },
  })

/** Reads the size of a picture and the colours of its corners. */
async function readPixels(bytes: Buffer) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const digits = (x: number, y: number) =>
    [0, 1, 2].map((channel) => Math.round(data[(y * width + x) * channels + channel]! / 17).toString(16)).join('')
  const [right, bottom] = [width - 9, height - 9]
  const places = [[8, 8] as const, [right, 8] as const, [8, bottom] as const, [right, bottom] as const]
  return { width, height, corners: places.map(([x, y]) => `#${digits(x, y)}`) }
}

/** Uploads an image that is accepted, and returns the image that is served: one chunk of pixels (RFC 9649). */
async function roundTrip(upload: Buffer, claim?: { name: string; type: string }): Promise<Buffer> {
  const body = await accepted(uploadImage(sender, upload, claim))
  const { headers, bytes } = await downloadImage(app.url + body.url)
  assert.equal(headers.get('content-type'), 'image/webp')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/)
  assert.deepEqual(fieldsOf(webpChunks(bytes), 'name'), ['VP8 '])
  return bytes
}

const assertRefused = async (code: string, status: number, uploads: Record<string, Buffer>) => {
  for (const [name, bytes] of Object.entries(uploads)) {
    const response = await uploadImage(sender, bytes)
    assert.deepEqual([name, response.status, response.body.code], [name, status, code])
  }
}

const XMP = '<x:xmpmeta xmlns:x="adobe:ns:meta/">ZzXmpSerial</x:xmpmeta>'
/** The upright picture as a camera writes it that was held upside down: with where it was, which one it is, and more. */
const cameraJpeg = async () =>
  insertJpegSegments(
    await draw(UPRIGHT)
      .rotate(180)
      .withExif({
        IFD0: { Artist: 'ZzArtist' },
        IFD2: { BodySerialNumber: 'ZzSerial' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '45/1 30/1 12/1', GPSDateStamp: 'ZzGps' },
      })
      .withMetadata({ orientation: 3 })
      .withXmp(XMP)
      .jpeg({ progressive: true, quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer(),
    jpegSegment(
      0xed,
      Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x11\x1c\x02\x50\0\x0cZzIptcByline', 'latin1'),
    ),
    jpegSegment(0xfe, Buffer.from('Zz<script>alert(1)</script>')),
  )

test('a photo is stored upright, without where and with what it was taken, and without what is hidden in it', async () => {
  const photo = await cameraJpeg()
  const found = await sharp(photo).metadata()
  assert.ok(
    found.exif?.includes('ZzSerial') && found.xmp && found.iptc && found.orientation === 3,
    'it is in the upload',
  )
  // whatever it claims to be, and whatever follows its end: a clip of a moving picture, an archive
  const clip = Buffer.concat([Buffer.alloc(100_000, Buffer.from([0xff, 0xda, 0, 2])), Buffer.from('PK\x03\x04Zz')])
  const stored = await roundTrip(Buffer.concat([photo, clip]), { name: '../page.html', type: 'text/html' })
  assert.ok(!stored.includes('Zz') && !stored.includes('script'))
  assert.deepEqual(await readPixels(stored), UPRIGHT_PIXELS)
})

for (const format of ['png', 'webp', 'avif'] as const) {
  test(`a ${format} is taken as well, in the colours of its profile`, async () => {
    const upload = await draw([[[51, 102, 153]]])
      .withIccProfile('p3')
      .toFormat(format, { quality: 100 })
      .toBuffer()
    const { corners } = await readPixels(await roundTrip(upload))
    assert.deepEqual(new Set(corners), new Set(['#369']))
  })
}

describe('a HEIC photo', () => {
  test('is stored upright as its file says, and not as its Exif block does; of several pictures it is the main one', async () => {
    const heic = readHeic('tiled-mirrored-turned')
    assert.ok(heic.includes('ZzSerial') && heic.includes('ZzXmp'), 'it is in the upload')
    const image = await roundTrip(heic)
    assert.deepEqual(await readPixels(image), UPRIGHT_PIXELS)
    assert.ok(!image.includes('Zz'))
  })

  test('keeps its colours, whatever profile it has', async () => {
    const { corners } = await readPixels(await roundTrip(readHeic('display-p3')))
    assert.deepEqual(new Set(corners), new Set(['#c33']))
    assert.deepEqual(await readPixels(await roundTrip(readHeic('damaged-profile'))), UPRIGHT_PIXELS)
  })
})

test('what is no image in one of these formats is refused', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>'
  await assertRefused('image_unreadable', 400, {
    SVG: Buffer.from(svg),
    'SVG behind a byte order mark': Buffer.from(`\ufeff<?xml version="1.0"?><!-- x -->${svg}`),
    PDF: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    TIFF: await noise(9, 9).tiff().toBuffer(),
    'a film': Buffer.from('\0\0\0\x18ftypisom\0\0\0\0mp42isom\0\0\0\x08mdat', 'latin1'),
    'HTML before a JPEG': Buffer.concat([Buffer.from('<html>'), await noise(20, 20).jpeg().toBuffer()]),
  })
})

describe('an image that is cut off', () => {
  const photo = () => noise(400, 300)
  const cut = (whole: Buffer, part: number) => whole.subarray(0, Math.floor(whole.length * part))
  test('is taken when its top three quarters are there, or all of it at a lower precision', async () => {
    const baseline = await photo().jpeg().toBuffer()
    const progressive = await photo().jpeg({ progressive: true }).toBuffer()
    const png = await photo().png().toBuffer()
    for (const part of [
      ...[baseline.subarray(0, -2), cut(baseline, 0.8)],
      ...[progressive.subarray(0, -2), cut(progressive, 0.8)],
      cut(png, 0.9),
    ]) {
      const { width, height } = await sharp(await roundTrip(part)).metadata()
      assert.deepEqual([width, height], [400, 300])
    }
  })

  test('is otherwise refused as that, and not as a file of another kind', async () => {
    for (const [format, kept] of [
      ['jpeg', 0.7],
      ['png', 0.7],
      ['webp', 0.99],
      ['avif', 0.99],
      ['gif', 0.99],
      ['heic', 0.99],
    ] as const) {
      const whole =
        format === 'heic'
          ? readHeic('plain')
          : await photo()
              .toFormat(format, format === 'avif' ? { effort: 0 } : {})
              .toBuffer()
      for (const part of [0.1, kept])
        await assertRefused('file_incomplete', 400, { [`${part} of a ${format}`]: cut(whole, part) })
      const damaged = Buffer.from(whole)
      damaged[Math.floor(whole.length / 2)]! ^= 0x55
      const { status, body } = await uploadImage(sender, damaged)
      assert.ok(status === 201 || ['file_incomplete', 'image_too_many_pixels'].includes(body.code), body.code)
    }
    const progressive = await photo().jpeg({ progressive: true }).toBuffer()
    await assertRefused('file_incomplete', 400, { 'a tenth of a progressive JPEG': cut(progressive, 0.1) })
  })
})

describe('an image that is larger than it looks', () => {
  test('is refused by its header, before it is decoded', async () => {
    const tooMany = {
      'HEIC of 100 megapixels of which one is shown': readHeic('large-cropped'),
      'PNG of one pixel too many': buildEmptyPng(50_000_001, 1),
    }
    const unreadable = {
      'JPEG of hundreds of scans': await buildJpegOfManyScans(400),
      'PNG of one pixel a line, 49 million lines': buildEmptyPng(1, 49_000_000),
    }
    const damaged = {
      'PNG of no size': buildEmptyPng(0, 100),
      'HEIC that has 100 megapixels and claims 1,024 pixels': readHeic('larger-than-claimed'),
      'HEIC of 1,024 pixels with a tile of 100 megapixels': readHeic('large-tile'),
    }
    await assertRefused('image_too_many_pixels', 413, tooMany)
    await assertRefused('image_unreadable', 400, unreadable)
    await assertRefused('file_incomplete', 400, damaged)
    // the same in this process, whose work can be measured
    const begun = process.cpuUsage()
    for (const bytes of Object.values({ ...tooMany, ...unreadable, ...damaged }))
      assert.ok('refused' in (await reencodeImage(bytes)))
    const { user, system } = process.cpuUsage(begun)
    assert.ok(user + system < 10_000_000, 'a few milliseconds each, and not the minute that decoding takes')
  })

  test('becomes its first frame, however many frames and whatever size it claims', async () => {
    for (const bytes of [buildGif(65_535, 65_535, 1), buildGif(1, 1, 200_000)]) {
      const { pages = 1, width, height } = await sharp(await roundTrip(bytes)).metadata()
      assert.deepEqual([pages, width, height], [1, 1, 1])
    }
  })

  test('is accepted up to 10 MB, and not a byte more', async () => {
    const jpeg = await noise(20, 20).jpeg().toBuffer()
    const filled = (length: number) => Buffer.concat([jpeg, Buffer.alloc(length - jpeg.length)])
    assert.equal((await uploadImage(sender, filled(IMAGE_MAX_BYTES))).status, 201)
    await assertRefused('image_too_large', 413, { 'one byte more': filled(IMAGE_MAX_BYTES + 1) })
  })
})
