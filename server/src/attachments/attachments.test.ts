import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { testApp } from '../test/app.ts'
import { downloadImage, drawPng, uploadImage } from '../test/upload.ts'
import { cleanUpAttachments } from './cleanup.ts'

const app = await testApp()
const [owner, sender] = [await app.user(), await app.user()]

describe('images', () => {
  const fetchImage = (url: string) => downloadImage(app.url + url)
  const files = () =>
    // beside them is a copy of what was deleted
    readdirSync(join(app.config.DATA_DIR, 'attachments'), { recursive: true, withFileTypes: true }).filter(
      (f) => f.isFile() && f.name.endsWith('.webp'),
    )

  test('a form without a file in it, or that is cut, is refused', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=X' }
    const truncated = '--X\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc'
    const image = await drawPng()
    for (const response of [
      await sender.post('/api/attachments', new FormData()),
      await sender.post('/api/attachments', {}),
      await uploadImage(sender, image, { field: 'other' }),
      await uploadImage(sender, Buffer.alloc(0)),
      ...(await Promise.all([truncated, 'no form', '--X'].map((form) => sender.post('/api/attachments', form, type)))),
    ])
      assert.deepEqual([response.status, response.body.code], [400, 'image_missing'])
  })

  test('of five simultaneous messages with one image, one is sent', async () => {
    const { plate } = await app.vehicle(owner)
    const { id } = (await uploadImage(sender, await drawPng())).body
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        sender.post('/api/messages', { plate, content: `n ${i}`, attachment_id: id }),
      ),
    )
    assert.deepEqual(responses.map((a) => a.status).sort(), [201, 409, 409, 409, 409])
  })

  test('an image and its file are deleted with its message, and an unsent one after an hour', async () => {
    const [vehicle, sender] = [await app.vehicle(owner), await app.user()]
    const sent = (await uploadImage(sender, await drawPng())).body
    const unused = (await uploadImage(sender, await drawPng())).body
    await sender.post('/api/messages', { plate: vehicle.plate, content: 'x', attachment_id: sent.id })
    await cleanUpAttachments(app.context)
    assert.equal((await fetchImage(unused.url)).status, 200)

    await app.db`update attachments set created_at = now() - interval '61 minutes' where id in (${sent.id}, ${unused.id})`
    await cleanUpAttachments(app.context)
    assert.equal((await fetchImage(unused.url)).status, 404)
    assert.equal((await fetchImage(sent.url)).status, 200)

    const before = files().length
    await owner.delete(`/api/vehicles/${vehicle.id}`)
    assert.equal((await fetchImage(sent.url)).status, 200) // the sender still has the message
    await sender.post('/functions/v1/delete-user', { id: sender.id })
    assert.equal((await fetchImage(sent.url)).status, 404)
    await cleanUpAttachments(app.context)
    assert.equal(files().length, before - 1)
  })
})
