import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { IMAGE_MAX_BYTES } from '#contract/attachments.ts'
import { testApp } from '../test/app.ts'
import { buildHeic, crop, heicGrid, heicPicture, SQUARE } from '../test/heic-bytes.ts'
import {
  buildEmptyPng,
  buildFlatPng,
  buildGif,
  buildGridAvif,
  buildJpegOfManyScans,
  insertJpegSegments,
  insertPngChunks,
  jpegSegment,
  pngChunk,
  webpChunks,
} from '../test/image-bytes.ts'
import { runsAll } from '../test/runs-all.ts'
import { downloadImage, uploadImage } from '../test/upload.ts'
import { reencodeImage } from './reencode-image.ts'

const MB = 1024 * 1024

const app = await testApp()
const sender = await app.user()
after(() => app.close())

describe('hostile uploads', () => {
  const picture = (width: number, height: number) =>
    sharp({
      create: { width, height, channels: 3, noise: { type: 'gaussian', mean: 120, sigma: 40 }, background: '#444' },
    })

  const assertRefused = async (code: string, status: number, uploads: Record<string, Buffer>) => {
    for (const [name, bytes] of Object.entries(uploads)) {
      const response = await uploadImage(sender, bytes)
      assert.deepEqual([name, response.status, response.body.code], [name, status, code])
    }
  }

  describe('that are also something else', () => {
    const SCRIPT = '<script>alert(1)</script>'
    const ZIP = 'PK\x03\x04\x14\0\0\0hidden-archive'

    test('become images and nothing else', async () => {
      const [jpeg, png, webp] = await Promise.all([
        picture(20, 20).jpeg().toBuffer(),
        picture(20, 20).png().toBuffer(),
        picture(20, 20).webp().toBuffer(),
      ])
      const script = Buffer.from(`*/=1;/*${SCRIPT}`)
      const image = buildGif(20, 20, 1)
      const uploads = {
        'JPEG and ZIP': Buffer.concat([jpeg, Buffer.from(ZIP, 'latin1')]),
        'JPEG with HTML as its comment': insertJpegSegments(jpeg, jpegSegment(0xfe, Buffer.from(`<html>${SCRIPT}`))),
        'JPEG and PDF': insertJpegSegments(jpeg, jpegSegment(0xfe, Buffer.from(`%PDF-1.7\n${SCRIPT}`))),
        'PNG and PHP': insertPngChunks(png, pngChunk('tEXt', Buffer.from(`Comment\0<?php system(1) ?>${SCRIPT}`))),
        'WebP and ZIP': Buffer.concat([webp, Buffer.from(ZIP, 'latin1')]),
        'GIF and JavaScript': Buffer.concat([
          image.subarray(0, -1),
          Buffer.from([0x21, 0xfe, script.length]),
          script,
          Buffer.from([0, 0x3b]),
        ]),
      }
      for (const [name, bytes] of Object.entries(uploads)) {
        const { status, body } = await uploadImage(sender, bytes)
        assert.deepEqual([name, status], [name, 201])
        const { headers, bytes: stored } = await downloadImage(app.url + body.url)
        assert.deepEqual([name, webpChunks(stored).map((chunk) => chunk.name)], [name, ['VP8 ']])
        for (const hidden of ['script', 'PK\x03', '<?php', '%PDF'])
          assert.ok(!stored.includes(hidden), `${name}: ${hidden}`)
        assert.equal(headers.get('content-type'), 'image/webp')
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
        assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/)
      }
    })

    test('are recognized by their content, whatever their name and type', async () => {
      const png = await picture(20, 20).png().toBuffer()
      for (const claim of [
        { name: 'page.html', type: 'text/html' },
        { name: '../../../etc/cron.d/x', type: 'image/svg+xml' },
        { name: 'a\u202egpj.exe', type: 'not a type' },
      ]) {
        const { status, body } = await uploadImage(sender, png, claim)
        assert.deepEqual([claim, status], [claim, 201])
        assert.match(body.url, /\/[\w-]{43}\.webp$/)
        assert.equal((await downloadImage(app.url + body.url)).headers.get('content-type'), 'image/webp')
      }
    })

    test('are refused when they are not an image in a supported format', async () => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}</svg>`
      const jpeg = await picture(20, 20).jpeg().toBuffer()
      const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08meta', 'latin1')
      await assertRefused('image_unreadable', 400, {
        SVG: Buffer.from(svg),
        'SVG behind a byte order mark': Buffer.from(`\ufeff<?xml version="1.0"?><!-- x -->${svg}`),
        'SVG that reads a file': Buffer.from(svg.replace(SCRIPT, '<image href="file:///etc/passwd"/>')),
        SVGZ: gzipSync(svg),
        PDF: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
        TIFF: await picture(9, 9).tiff().toBuffer(),
        'HEIC without a picture': heic,
        'HTML before a JPEG': Buffer.concat([Buffer.from('<html>'), jpeg]),
        ZIP: Buffer.from(ZIP, 'latin1'),
        BMP: Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]),
        'a portable pixmap': Buffer.from('P6 1 1 255\nabc'),
        text: Buffer.from('not an image'),
      })
    })
  })

  describe('that are damaged', () => {
    const whole: Record<string, Buffer> = {}
    before(async () => {
      for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif'] as const) {
        whole[format] = await picture(40, 30)
          .toFormat(format, format === 'avif' ? { effort: 0 } : {})
          .toBuffer()
      }
      whole['heic'] = buildHeic([heicPicture([[[200, 50, 50]], [[50, 50, 200]]])])
    })
    const formats = fc.constantFrom('jpeg', 'png', 'webp', 'avif', 'gif', 'heic')
    /** The end of a file after its last pixel, without which the image is still complete. */
    const ENDING_BYTES = 12

    test('are refused wherever they are truncated', async () => {
      await fc.assert(
        fc.asyncProperty(formats, fc.double({ min: 0, max: 1, noNaN: true }), async (format, where) => {
          const bytes = whole[format]!
          const length = 1 + Math.floor(where * (bytes.length - ENDING_BYTES - 2))
          await assertRefused('image_unreadable', 400, { [`${format} of ${length}`]: bytes.subarray(0, length) })
        }),
        { numRuns: runsAll ? 60 : 20, seed: 1 },
      )
    })

    test('are decoded or refused, and never cause an error, when bytes are wrong', async () => {
      const wrong = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 255 })), {
        minLength: 1,
        maxLength: 8,
      })
      await fc.assert(
        fc.asyncProperty(formats, wrong, async (format, changes) => {
          const bytes = Buffer.from(whole[format]!)
          for (const [where, mask] of changes) bytes[Math.floor(where * (bytes.length - 1))]! ^= mask
          const { status, body } = await uploadImage(sender, bytes)
          assert.ok(status === 201 || ['image_unreadable', 'image_too_many_pixels'].includes(body.code), body.code)
        }),
        { numRuns: runsAll ? 60 : 20, seed: 1 },
      )
    })
  })

  describe('that are larger than they look', () => {
    test('are refused by their header, before they are decoded', async () => {
      const tile = await picture(64, 64).avif({ effort: 0 }).toBuffer()
      const heicPixels = { width: 313 * SQUARE, height: 313 * SQUARE }
      const heicTile = { width: SQUARE, height: SQUARE }
      const squares = [[[200, 50, 50] as const]]
      const tooMany = {
        'HEIC of 100 megapixels': buildHeic([heicPicture(squares, { coded: heicPixels })]),
        'HEIC of 100 megapixels of which one is shown': buildHeic([
          heicPicture(squares, { coded: heicPixels, properties: [crop(1_000, 1_000)] }),
        ]),
        'PNG of 2,500 megapixels': buildEmptyPng(50_000, 50_000),
        'PNG of one pixel too many': buildEmptyPng(50_000_001, 1),
      }
      const unreadable = {
        'JPEG of 2,647 scans': buildJpegOfManyScans(4_000),
        'PNG of one pixel a line, 49 million lines': buildEmptyPng(1, 49_000_000),
        'PNG of one line': buildEmptyPng(49_000_000, 1),
        'PNG of no size': buildEmptyPng(0, 100),
        'HEIC that has 100 megapixels and claims 1,024 pixels': buildHeic([
          heicPicture(squares, { coded: heicPixels, claimed: heicTile }),
        ]),
        'HEIC of 1,024 pixels with a tile of 100 megapixels': buildHeic([
          heicGrid([[2]], heicTile),
          heicPicture(squares, { coded: heicPixels }),
        ]),
        'HEIC of 40,000 times one tile': buildHeic([
          heicGrid(Array(200).fill(Array(200).fill(2)), heicTile),
          heicPicture(squares),
        ]),
        'AVIF of 65,025 times one tile': buildGridAvif(tile, 64, 255, 255),
        'AVIF of 10,000 times one tile': buildGridAvif(tile, 64, 100, 100),
      }
      await assertRefused('image_too_many_pixels', 413, tooMany)
      await assertRefused('image_unreadable', 400, unreadable)
      // the same in this process, whose work can be measured
      const [begun, before] = [process.cpuUsage(), process.memoryUsage.rss()]
      for (const bytes of Object.values({ ...tooMany, ...unreadable }))
        assert.ok('refused' in (await reencodeImage(bytes)))
      const { user, system } = process.cpuUsage(begun)
      assert.ok(user + system < 2_000_000, 'a few milliseconds each')
      const grown = process.memoryUsage.rss() - before
      assert.ok(grown < 100 * MB, `${Math.round(grown / MB)} MB more`)
    })

    test('become their first frame, however many frames and whatever size they claim', async () => {
      for (const bytes of [buildGif(65_535, 65_535, 1), buildGif(1, 1, 200_000)]) {
        const { status, body } = await uploadImage(sender, bytes)
        assert.equal(status, 201)
        const { pages = 1, width, height } = await sharp((await downloadImage(app.url + body.url)).bytes).metadata()
        assert.deepEqual([pages, width, height], [1, 1, 1])
      }
    })

    test('are accepted up to 10 MB, and not a byte more', async () => {
      const jpeg = await picture(20, 20).jpeg().toBuffer()
      const filled = (length: number) => Buffer.concat([jpeg, Buffer.alloc(length - jpeg.length)])
      assert.equal((await uploadImage(sender, filled(IMAGE_MAX_BYTES))).status, 201)
      await assertRefused('image_too_large', 413, { 'one byte more': filled(IMAGE_MAX_BYTES + 1) })
    })

    test('keep memory bounded and other requests fast when twenty arrive at once', async () => {
      // all within the limits, and so decoded: four of 49 megapixels, each in memory as a whole, and small ones
      const large = await sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: '#456' } })
        .jpeg({ progressive: true, quality: 50 })
        .toBuffer()
      const bombs = Array.from({ length: 20 }, (_, i) =>
        i < 4 ? large : buildFlatPng(2_000, 2_000, { bits: 1, colour: 0 }),
      )
      const { url } = (await uploadImage(sender, await picture(64, 64).png().toBuffer())).body
      const others = [() => downloadImage(app.url + url), () => sender.get('/api/notifications')]
      const times = async (while_: () => boolean) => {
        const taken: number[] = []
        do {
          const begun = performance.now()
          for (const other of others) assert.equal((await other()).status, 200)
          taken.push(performance.now() - begun)
        } while (while_())
        return taken.sort((a, b) => a - b)[Math.floor(taken.length / 2)]!
      }
      let rounds = 60
      const quiet = await times(() => --rounds > 0)

      const before = process.memoryUsage().rss
      let peak = before
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss)
      }, 5)
      let underWay = true
      const responses = Promise.all(bombs.map((bomb) => uploadImage(sender, bomb))).finally(() => {
        underWay = false
      })
      const loaded = await times(() => underWay)
      const statuses = (await responses).map(({ status, headers }) => [status, headers.has('retry-after')])
      clearInterval(watch)

      assert.ok(statuses.some(([status]) => status === 201))
      for (const [status, waits] of statuses) assert.ok(status === 201 || (status === 503 && waits), `${status}`)
      assert.ok(peak - before < 500 * MB, `${Math.round((peak - before) / MB)} MB more`)
      // images are decoded one by one outside of the event loop; inside of it, this would be a hundred times as much
      assert.ok(loaded < 12 * quiet, `${loaded.toFixed(1)} ms beside ${quiet.toFixed(1)} ms`)
    })
  })
})
