import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { testApp } from '../test/app.ts'
import {
  addWebpMetadata,
  buildExif,
  insertJpegSegments,
  insertPngChunks,
  jpegSegment,
  pngChunk,
  webpChunks,
} from '../test/image-bytes.ts'
import { downloadImage, uploadImage } from '../test/upload.ts'

const WIDTH = 96
const HEIGHT = 64

/** Tags of Exif 3.0, tables 4 to 16. */
const CAMERA = buildExif([
  { tag: 0x010f, type: 'ascii', value: 'ZzMaker' },
  { tag: 0x0110, type: 'ascii', value: 'ZzModel' },
  { tag: 0x013b, type: 'ascii', value: 'ZzArtist' },
  {
    tag: 0x8769,
    type: 'ifd',
    value: [
      { tag: 0x9003, type: 'ascii', value: '2026:11:02 08:15:30' },
      { tag: 0x927c, type: 'undefined', value: 'ZzMakerNote serial 998877' },
      { tag: 0xa420, type: 'ascii', value: 'ZzUniqueId' },
      { tag: 0xa430, type: 'ascii', value: 'ZzOwner' },
      { tag: 0xa431, type: 'ascii', value: 'ZzBodySerial 998877' },
      { tag: 0xa435, type: 'ascii', value: 'ZzLensSerial 998877' },
    ],
  },
  {
    tag: 0x8825,
    type: 'ifd',
    value: [
      { tag: 0x0001, type: 'ascii', value: 'N' },
      { tag: 0x0002, type: 'rational', value: [45, 30, 12] },
      { tag: 0x001b, type: 'undefined', value: 'ZzGpsMethod' },
    ],
  },
])
const XMP = Buffer.from(
  `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" aux:SerialNumber="ZzXmpSerial"/></rdf:RDF></x:xmpmeta>`,
)
const IPTC = Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x11\x1c\x02\x50\0\x0cZzIptcByline', 'latin1')

const app = await testApp()
const sender = await app.user()
after(() => app.close())

describe('image metadata', () => {
  const plain = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#369' } })

  /** Uploads an image that is accepted, and returns the image that is served. */
  const roundTrip = async (upload: Buffer) => {
    const { status, body, text } = await uploadImage(sender, upload)
    assert.equal(status, 201, text)
    return (await downloadImage(app.url + body.url)).bytes
  }

  /** Asserts that only the image itself is left: its chunk of RFC 9649 and no other. */
  const assertBare = (what: string, upload: Buffer, stored: Buffer) => {
    assert.ok(upload.includes('Zz'), `${what}: there was something to remove`)
    assert.deepEqual([what, webpChunks(stored).map(({ name }) => name)], [what, ['VP8 ']])
    assert.ok(!stored.includes('Zz') && !stored.includes('998877'), what)
  }

  test('is removed from a JPEG: maker note, serial numbers, location, XMP, IPTC, profile, comment, preview', async () => {
    const preview = await sharp(await plain.clone().png().toBuffer())
      .resize(32)
      .jpeg()
      .toBuffer()
    const upload = insertJpegSegments(
      await plain.clone().withIccProfile('p3').jpeg().toBuffer(),
      jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), CAMERA])),
      jpegSegment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), XMP])),
      jpegSegment(0xed, IPTC),
      jpegSegment(0xfe, Buffer.from('ZzComment')),
      jpegSegment(0xe2, Buffer.from('MPF\0ZzMultiPicture')),
      jpegSegment(0xef, Buffer.concat([Buffer.from('ZzPreview'), preview])),
    )
    const found = await sharp(upload).metadata()
    assert.ok(found.exif && found.xmp && found.iptc && found.icc, 'a reader finds all of it in the upload')
    assertBare('JPEG', upload, await roundTrip(upload))
  })

  test('is removed from a PNG: location in eXIf, XMP, texts, time, private chunks', async () => {
    const text = (name: string, data: string | Buffer) => pngChunk(name, Buffer.from(data))
    const upload = insertPngChunks(
      await plain.clone().png().toBuffer(),
      pngChunk('eXIf', CAMERA),
      text('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), XMP])),
      text('tEXt', 'Author\0ZzAuthor'),
      text('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync('ZzHidden')])),
      text('tIME', Buffer.from([7, 0xea, 11, 2, 8, 15, 30])),
      text('zzOw', 'ZzPrivate'),
    )
    const found = await sharp(upload).metadata()
    assert.ok(found.exif && found.xmp, 'a reader finds it in the upload')
    assertBare('PNG', upload, await roundTrip(upload))
  })

  test('is removed from a WebP: EXIF, XMP, profile, unknown chunks', async () => {
    const { icc } = await sharp(await plain.clone().withIccProfile('p3').png().toBuffer()).metadata()
    const upload = addWebpMetadata(
      await plain.clone().webp().toBuffer(),
      { width: WIDTH, height: HEIGHT },
      { ICCP: icc!, EXIF: CAMERA, 'XMP ': XMP, ZZOW: Buffer.from('ZzUnknown') },
    )
    const found = await sharp(upload).metadata()
    assert.ok(found.exif && found.xmp && found.icc, 'a reader finds all of it in the upload')
    assertBare('WebP', upload, await roundTrip(upload))
  })

  test('is removed from an AVIF and a GIF', async () => {
    const avif = await plain
      .clone()
      .withExif({ IFD0: { Artist: 'ZzArtist' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withXmp(XMP.toString())
      .avif({ effort: 0 })
      .toBuffer()
    assertBare('AVIF', avif, await roundTrip(avif))
    const gif = await plain.clone().gif().toBuffer()
    const comment = Buffer.from('!\xfe\x09ZzComment\0', 'latin1')
    const commented = Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1)])
    assertBare('GIF', commented, await roundTrip(commented))
  })

  test('is removed without changing the colours, whatever profile the image had', async () => {
    const upload = await plain.clone().withIccProfile('p3').png().toBuffer()
    const { data } = await sharp(await roundTrip(upload))
      .raw()
      .toBuffer({ resolveWithObject: true })
    const [r = 0, g = 0, b = 0] = data
    const off = Math.max(Math.abs(r - 0x33), Math.abs(g - 0x66), Math.abs(b - 0x99))
    assert.ok(off <= 6, `${r}, ${g}, ${b}`)
  })

  describe('is only used for the orientation', () => {
    const CORNERS = { topLeft: '#f00', topRight: '#0f0', bottomLeft: '#00f', bottomRight: '#ff0' }
    /** Where the first row and the first column of the file belong in the image (Exif 3.0, Orientation). */
    const FIRST = [
      ['top', 'left'],
      ['top', 'right'],
      ['bottom', 'right'],
      ['bottom', 'left'],
      ['left', 'top'],
      ['right', 'top'],
      ['right', 'bottom'],
      ['left', 'bottom'],
    ] as const

    /** Builds the image as a camera in this orientation stores it, pixel by pixel. */
    const storedAs = (orientation: number) => {
      const [row0, column0] = FIRST[orientation - 1]!
      const isSideways = row0 === 'left' || row0 === 'right'
      const [rows, columns] = isSideways ? [WIDTH, HEIGHT] : [HEIGHT, WIDTH]
      const data = Buffer.alloc(rows * columns * 3)
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          const [across, down, fromLeft, fromTop] = isSideways
            ? [row, column, row0 === 'left', column0 === 'top']
            : [column, row, column0 === 'left', row0 === 'top']
          const left = fromLeft ? across < WIDTH / 2 : across >= WIDTH / 2
          const top = fromTop ? down < HEIGHT / 2 : down >= HEIGHT / 2
          const colour = CORNERS[top ? (left ? 'topLeft' : 'topRight') : left ? 'bottomLeft' : 'bottomRight']
          const rgb = [...colour.slice(1)].map((digit) => Number.parseInt(digit + digit, 16))
          data.set(rgb, (row * columns + column) * 3)
        }
      }
      return sharp(data, { raw: { width: columns, height: rows, channels: 3 } })
    }

    const assertUpright = async (what: string, stored: Buffer) => {
      const { data, info } = await sharp(stored).raw().toBuffer({ resolveWithObject: true })
      assert.deepEqual([what, info.width, info.height], [what, WIDTH, HEIGHT])
      const at = (x: number, y: number) =>
        `#${[0, 1, 2].map((channel) => (data[(y * WIDTH + x) * info.channels + channel]! > 127 ? 'f' : '0')).join('')}`
      const corners = {
        topLeft: at(8, 8),
        topRight: at(WIDTH - 9, 8),
        bottomLeft: at(8, HEIGHT - 9),
        bottomRight: at(WIDTH - 9, HEIGHT - 9),
      }
      assert.deepEqual([what, corners], [what, CORNERS])
    }

    const turned = (orientation: number) => buildExif([{ tag: 0x0112, type: 'short', value: [orientation] }])

    for (let orientation = 1; orientation <= 8; orientation++) {
      test(`a JPEG of orientation ${orientation} is turned upright`, async () => {
        const jpeg = await storedAs(orientation).jpeg().toBuffer()
        const segment = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), turned(orientation)]))
        await assertUpright('JPEG', await roundTrip(insertJpegSegments(jpeg, segment)))
      })
    }

    test('so are a PNG and a WebP with an orientation', async () => {
      const png = await storedAs(6).png().toBuffer()
      await assertUpright('PNG', await roundTrip(insertPngChunks(png, pngChunk('eXIf', turned(6)))))
      const webp = await storedAs(8).webp().toBuffer()
      const size = { width: HEIGHT, height: WIDTH }
      await assertUpright('WebP', await roundTrip(addWebpMetadata(webp, size, { EXIF: turned(8) })))
    })
  })
})
