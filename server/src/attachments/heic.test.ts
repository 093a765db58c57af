import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { startDispute } from '../test/documents.ts'
import {
  buildHeic,
  type Colour,
  colourProfile,
  heicGrid,
  heicMetadata,
  heicPicture,
  mirror,
  SQUARE,
  type Squares,
  turn,
} from '../test/heic-bytes.ts'
import { buildExif, webpChunks } from '../test/image-bytes.ts'
import { downloadImage, uploadDocument, uploadImage } from '../test/upload.ts'

const RED: Colour = [255, 0, 0]
const GREEN: Colour = [0, 255, 0]
const BLUE: Colour = [0, 0, 255]
const YELLOW: Colour = [255, 255, 0]
const GREY: Colour = [128, 128, 128]
/** No two of its corners are alike, and it is wider than high. */
const UPRIGHT: Squares = [
  [RED, RED, GREEN],
  [BLUE, BLUE, YELLOW],
]
const [WIDTH, HEIGHT] = [3 * SQUARE, 2 * SQUARE]
const UPRIGHT_PIXELS = { width: WIDTH, height: HEIGHT, corners: ['#f00', '#0f0', '#00f', '#ff0'] }

/** Reads the size of a picture and the colours of its corners. */
async function readPixels(bytes: Buffer) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const digits = (x: number, y: number) =>
    [0, 1, 2].map((channel) => Math.round(data[(y * width + x) * channels + channel]! / 17).toString(16))
  const [right, bottom] = [width - 9, height - 9]
  const places = [[8, 8] as const, [right, 8] as const, [8, bottom] as const, [right, bottom] as const]
  return { width, height, corners: places.map(([x, y]) => `#${digits(x, y).join('')}`) }
}

const app = await testApp({ settings: { ROLE: 'web' } })
const sender = await app.user()
after(() => app.close())

describe('HEIC photos', () => {
  /** Uploads a photo that is accepted, and returns the image that is served. */
  const roundTrip = async (heic: Buffer): Promise<Buffer> => {
    const { status, body, text } = await uploadImage(sender, heic, { name: 'IMG_0001.HEIC', type: 'image/heic' })
    assert.equal(status, 201, text)
    return (await downloadImage(app.url + body.url)).bytes
  }
  const assertUpright = async (bytes: Buffer) => assert.deepEqual(await readPixels(bytes), UPRIGHT_PIXELS)

  describe('are upright', () => {
    /** Undoes what `mirror` does. */
    const mirrored = (squares: Squares, axis: 0 | 1): Squares =>
      axis === 0 ? squares.toReversed() : squares.map((row) => row.toReversed())
    /** Undoes what `turn` does, a quarter at a time. */
    const clockwise = (squares: Squares): Squares =>
      squares[0]!.map((_, column) => squares.map((row) => row[column]!).toReversed())

    for (const quarters of [0, 1, 2, 3]) {
      for (const axis of [null, 0, 1] as const) {
        const name = `turned by ${90 * quarters}° and ${axis === null ? 'not mirrored' : `mirrored, axis ${axis}`}`
        test(name, async () => {
          let stored = axis === null ? UPRIGHT : mirrored(UPRIGHT, axis)
          for (let i = 0; i < quarters; i++) stored = clockwise(stored)
          const properties = [turn(quarters), ...(axis === null ? [] : [mirror(axis)])]
          await assertUpright(await roundTrip(buildHeic([heicPicture(stored, { properties })])))
        })
      }
    }

    test('put together from tiles, as phones write them', async () => {
      const tiles = UPRIGHT.flat().map((colour) => ({ ...heicPicture([[colour]]), hidden: true }))
      const order = [
        [2, 3, 4],
        [5, 6, 7],
      ]
      const tile = { width: SQUARE, height: SQUARE }
      await assertUpright(await roundTrip(buildHeic([heicGrid(order, tile), ...tiles])))
      const turned = await readPixels(await roundTrip(buildHeic([heicGrid(order, tile, [turn(3)]), ...tiles])))
      assert.deepEqual(turned, { width: HEIGHT, height: WIDTH, corners: ['#00f', '#f00', '#ff0', '#0f0'] })
    })
  })

  test('are stored without metadata, whose orientation does not turn them a second time', async () => {
    const exif = buildExif([
      { tag: 0x0112, type: 'short', value: [6] },
      { tag: 0x010f, type: 'ascii', value: 'ZzMaker' },
      { tag: 0x8825, type: 'ifd', value: [{ tag: 0x001b, type: 'undefined', value: 'ZzGpsMethod' }] },
    ])
    const picture = heicPicture(UPRIGHT)
    const heic = buildHeic([
      picture,
      heicMetadata('Exif', exif, 1),
      heicMetadata('XMP', Buffer.from('<x:xmpmeta>ZzXmp</x:xmpmeta>'), 1),
    ])
    const found = await sharp(heic).metadata()
    assert.ok(found.exif?.includes('ZzMaker') && found.xmp?.includes('ZzXmp'), 'a reader finds it in the upload')
    const stored = await roundTrip(heic)
    await assertUpright(stored)
    assert.deepEqual(
      webpChunks(stored).map(({ name }) => name),
      ['VP8 '],
    )
    assert.ok(!stored.includes('Zz'))
  })

  test('of several pictures become the main one, wherever it is', async () => {
    const other = heicPicture([[GREY, GREY]])
    await assertUpright(await roundTrip(buildHeic([other, heicPicture(UPRIGHT), other], 2)))
    await assertUpright(await roundTrip(buildHeic([heicPicture(UPRIGHT), other], 1)))
  })

  test('keep their colours, whatever profile they have', async () => {
    const inSrgb = sharp({ create: { width: 8, height: 8, channels: 3, background: '#c33' } })
    const inP3 = await inSrgb.withIccProfile('p3').png().toBuffer()
    const { icc } = await sharp(inP3).metadata()
    const [red, green, blue] = await sharp(inP3, { ignoreIcc: true }).raw().toBuffer()
    const picture = heicPicture([[[red!, green!, blue!]]], { properties: [colourProfile(icc!)] })
    const { corners } = await readPixels(await roundTrip(buildHeic([picture])))
    assert.deepEqual(new Set(corners), new Set(['#c33']))
    const damaged = buildHeic([
      heicPicture(UPRIGHT, { properties: [colourProfile(Buffer.from('no profile '.repeat(20)))] }),
    ])
    await assertUpright(await roundTrip(damaged))
  })

  test('reach the owner in a message and in a collision card, and the admin in a dispute', async () => {
    const heic = buildHeic([heicPicture(UPRIGHT)])
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    const upload = async (): Promise<string> => (await uploadImage(sender, heic)).body.id
    const message = { plate, content: 'Your lights are on', attachment_id: await upload() }
    const sent = await sender.post('/api/messages', message)
    assert.equal(sent.status, 201, sent.text)
    const { image_url } = (await owner.get(`/api/messages/${sent.body.id}`)).body
    await assertUpright((await downloadImage(app.url + image_url)).bytes)

    const particulars = { name: 'Kim Roy', phone: '416 555 0100', address: '1 Main Street', insurer: '', policy: '' }
    const collision = {
      kind: 'hit',
      province: 'Ontario',
      particulars: { ...particulars, plate: 'HIT001' },
      photos: [await upload()],
      not_anonymous: true,
    }
    const hit = await sender.post('/api/messages', { plate, content: 'Your bumper', reason: 'accident', collision })
    assert.equal(hit.status, 201, hit.text)
    const card = await owner.get(`/api/messages/${hit.body.id}/collision`)
    await assertUpright(Buffer.from(card.body.photos[0].split(',')[1], 'base64'))

    const { challenger, vehicles } = await startDispute(app, 'HEIC1')
    const document = await uploadDocument(challenger, vehicles.challenger.id, heic)
    assert.deepEqual([document.status, document.body.kind], [201, 'image'])
    const { token } = await createAdmin(app)
    const headers = { authorization: `Bearer ${token}` }
    const opened = await fetch(`${app.url}/api/admin/documents/${document.body.id}/open`, { method: 'POST', headers })
    await assertUpright(Buffer.from(await opened.arrayBuffer()))
  })
})
