import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { createLogger } from '../log/logger.ts'
import { testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { buildJpegOfManyScans } from '../test/image-bytes.ts'
import { drawPng, uploadImage } from '../test/upload.ts'
import { MINUTE_MS } from '../time.ts'
import { createImageProcesses } from './image-processes.ts'

const small = await drawPng()
const app = await testApp()
const [hostile, honest] = [await app.user(), await app.user()]

describe('an upload of one user', () => {
  test('that takes hundreds of scans to decode is refused before it is, and another’s goes through', async () => {
    const bomb = await buildJpegOfManyScans(2_000)
    const bombs = Array.from({ length: 3 }, () => uploadImage(hostile, bomb))
    assert.equal((await uploadImage(honest, small)).status, 201)
    for (const { status, body } of await Promise.all(bombs))
      assert.deepEqual([status, body.code], [400, 'image_unreadable'])
  })

  test('that is slow, even in great number, keeps nobody else’s out', async (t) => {
    const open = () => {
      const call = httpRequest(`${app.url}/api/attachments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${hostile.token}`, 'content-type': 'multipart/form-data; boundary=X' },
      })
      call.on('error', () => {}) // is never completed
      call.write('--X\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc')
      return call
    }
    const counted = async () => {
      const [row] = await app.db<{ count: number }[]>`
        select coalesce(sum(count), 0)::int as count from rate_counters where key like 'upload:%'`
      return row!.count
    }
    const before = await counted()
    const calls = Array.from({ length: 30 }, open)
    t.after(() => calls.forEach((call) => void call.destroy()))
    // each has its slot by now
    await eventually(async () => ((await counted()) >= before + 24 ? true : undefined))
    assert.equal((await uploadImage(honest, small)).status, 201)
  })
})

const onLinux = { skip: process.platform !== 'linux' && 'reads /proc' }

describe('the processes that decode images', () => {
  const log = createLogger('silent')
  let ofOthers: number[]
  /** Takes seconds. */
  let largest: Buffer
  before(async () => {
    ofOthers = imagePids()
    largest = await sharp({ create: { width: 8_000, height: 6_250, channels: 3, background: '#456' } })
      .jpeg({ progressive: true }) // takes the most
      .toBuffer()
  })
  /** Returns the processes that the test running now has started and that still run. */
  const childPids = () => imagePids().filter((pid) => !ofOthers.includes(pid))

  test('are killed when an image takes too long, and the next image gets a new one', onLinux, async (t) => {
    const hasty = createImageProcesses(log, { timeoutMs: 1 })
    t.after(() => hasty.close())
    for (let i = 0; i < 2; i++) await assert.rejects(hasty.reencode('a', largest), { code: 'image_unreadable' })
    assert.deepEqual(childPids(), [])
  })

  test('can be killed from outside: the image is tried again in another', onLinux, async (t) => {
    const images = createImageProcesses(log, { processes: 1, timeoutMs: 2 * MINUTE_MS })
    t.after(() => images.close())
    assert.deepEqual(await sizeOf(images.reencode('a', small)), [30, 20])
    const [pid] = childPids()
    process.kill(pid!, 'SIGSTOP') // so that it has the image and does not answer
    const size = sizeOf(images.reencode('a', small))
    process.kill(pid!, 'SIGKILL')
    assert.deepEqual(await size, [30, 20])
    assert.notDeepEqual(childPids(), [pid])
  })

  test(
    'have only so many images waiting for them, and one more is refused before it is received',
    onLinux,
    async (t) => {
      const images = createImageProcesses(log, { processes: 1, maxWaiting: 1, timeoutMs: 2 * MINUTE_MS })
      t.after(() => images.close())
      images.refuseIfFull()
      const admitted = [images.reencode('a', small), images.reencode('b', small)]
      await assert.rejects(images.reencode('c', small), { code: 'busy' })
      assert.throws(() => images.refuseIfFull(), { code: 'busy' })
      for (const image of admitted) assert.deepEqual(await sizeOf(image), [30, 20])
      images.refuseIfFull()
    },
  )

  test('have a limited memory and none of the server’s settings', onLinux, async (t) => {
    const images = createImageProcesses(log, { processes: 1, timeoutMs: 2 * MINUTE_MS })
    t.after(() => images.close())
    await images.reencode('a', small)
    const [pid] = childPids()
    assert.match(readFileSync(`/proc/${pid}/limits`, 'utf8'), /^Max data size +1610612736 /m)
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((line) => line.split('=')[0])
    assert.deepEqual(
      names.filter((name) => /KEY|SECRET|URL|HOME/.test(name!)),
      [],
    )
    const tight = createImageProcesses(log, { processes: 1, memoryKb: 100_000 })
    t.after(() => tight.close())
    await assert.rejects(tight.reencode('a', small), { code: 'busy' })
  })

  test('decode the largest image that is accepted', async (t) => {
    // it is about the memory: beside other tests it may take longer than a server would wait
    const images = createImageProcesses(log, { processes: 1, timeoutMs: 2 * MINUTE_MS })
    t.after(() => images.close())
    assert.deepEqual(await sizeOf(images.reencode('a', largest)), [2_048, 1_600])
  })

  const sizeOf = async (image: Promise<{ width: number; height: number }>) => {
    const { width, height } = await image
    return [width, height]
  }
})

/** Returns the processes started by this one that decode images, those of other tests in it included. */
const imagePids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        return (
          status.includes(`\nPPid:\t${process.pid}\n`) &&
          !status.includes('State:\tZ') &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('image-process.ts')
        )
      } catch {
        return false // ended meanwhile
      }
    })
    .map(Number)
