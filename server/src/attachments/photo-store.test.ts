import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { createLogger } from '../log/logger.ts'
import { testApp } from '../test/app.ts'
import { startFakeS3 } from '../test/fake-s3.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

// What people and whoever runs the server learn when the bucket of photos takes nothing.

const s3 = await startFakeS3()
const app = await testApp({ settings: { STORAGE_URL: s3.storageUrl('photos') } })
const lines: string[] = []
const server = await startSiblingServer({
  ...app.context,
  log: createLogger('error', { write: (line) => void lines.push(line) }),
})
after(async () => {
  await server.close()
  await app.close()
  s3.close()
})

test('while the bucket refuses the secret, uploads and photos are refused for now, the log says what to do, and then all goes on', async (t) => {
  const { token } = await app.user()
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#456' } })
    .png()
    .toBuffer()
  const upload = () => {
    const body = new FormData()
    body.append('file', new Blob([new Uint8Array(photo)], { type: 'image/png' }), 'photo.png')
    return fetch(`${server.url}/api/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    })
  }
  const first = await upload()
  assert.equal(first.status, 201)
  const { url } = (await first.json()) as { url: string }
  const path = new URL(url, server.url).pathname
  const stored = s3.objects.size

  const { secret } = s3
  t.after(() => Object.assign(s3, { secret }))
  s3.secret = 'the secret after the next change of keys'
  for (const response of [await upload(), await fetch(server.url + path)]) {
    assert.deepEqual(
      [response.status, response.headers.get('retry-after'), ((await response.json()) as { code: string }).code],
      [503, '2', 'busy'],
    )
    const { msg, error } = JSON.parse(lines.pop()!)
    assert.deepEqual(
      [msg, error.code, error.advice],
      [
        'request failed',
        'SignatureDoesNotMatch',
        'the bucket photos cannot be used (SignatureDoesNotMatch): correct AWS_SECRET_ACCESS_KEY, which is not the secret of AWS_ACCESS_KEY_ID',
      ],
    )
  }
  assert.equal(s3.objects.size, stored)

  s3.secret = secret
  assert.equal((await upload()).status, 201)
  assert.equal((await fetch(server.url + path)).status, 200)
})
