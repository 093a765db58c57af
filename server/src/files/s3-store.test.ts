import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { loadConfig } from '../config.ts'
import { openFileStore } from './open-file-store.ts'

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=platenote-test\/\d{8}\/ca-central-1\/s3\/aws4_request, ?SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, ?Signature=[0-9a-f]{64}$/

// a server that stores objects as S3 does, and refuses what is not signed or was changed on the way
const objects = new Map<string, Buffer>()
let calls = 0
let failures = 0
const server = createServer((request, response) => {
  void (async () => {
    calls++
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const path = request.url?.split('?')[0] ?? ''
    const respond = (status: number, code = '') =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(code && `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)
    if (!SIGNED.test(request.headers.authorization ?? '')) return respond(403, 'AccessDenied')
    const hash = request.headers['x-amz-content-sha256']
    if (hash !== 'UNSIGNED-PAYLOAD' && hash !== createHash('sha256').update(body).digest('hex'))
      return respond(400, 'XAmzContentSHA256Mismatch')
    if (failures > 0) {
      failures--
      return respond(503, 'SlowDown')
    }
    if (request.method === 'PUT') {
      objects.set(path, body)
      return respond(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(path)
      return respond(204)
    }
    const found = objects.get(path)
    return found ? response.writeHead(200, { 'content-length': found.length }).end(found) : respond(404, 'NoSuchKey')
  })()
})

// where the AWS client looks for credentials; the machine's own profile must not matter
const VARIABLES = {
  AWS_ACCESS_KEY_ID: 'platenote-test',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  AWS_CONFIG_FILE: '/nonexistent',
}

before(async () => {
  Object.assign(process.env, VARIABLES)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const open = () => {
  const { port } = server.address() as AddressInfo
  return openFileStore(
    loadConfig({ STORAGE_URL: `s3://platenote-files?endpoint=http://127.0.0.1:${port}&region=ca-central-1` }),
  )
}

test('files are written and read by signed requests, a missing file is null, and a file can be removed', async () => {
  const store = await open()
  const [name, bytes] = [`${randomBytes(32).toString('hex')}.webp`, randomBytes(300_000)]
  assert.equal(await store.get(name), null)
  await store.put(name, bytes)
  assert.deepEqual([...objects.keys()], [`/platenote-files/${name}`])
  assert.deepEqual(objects.get(`/platenote-files/${name}`), bytes)
  assert.deepEqual(await store.get(name), bytes)
  await store.remove(name)
  assert.equal(await store.get(name), null)
  await store.remove(name)
})

test('a request to a briefly overloaded bucket is retried; when it stays overloaded that is an error, not "no such file"', async () => {
  const store = await open()
  const name = `${randomBytes(32).toString('hex')}.webp`
  failures = 1
  await store.put(name, Buffer.from('x'))
  assert.deepEqual(await store.get(name), Buffer.from('x'))
  failures = 100
  await assert.rejects(store.get(name), { name: 'SlowDown' })
  failures = 0
})

test('a name that could be a path throws and is never requested', async () => {
  const store = await open()
  const before = calls
  await assert.rejects(store.get('../other-bucket/x'), /not a name/)
  await assert.rejects(store.put('a/b', Buffer.from('x')), /not a name/)
  assert.equal(calls, before)
})

test('without credentials the start fails with one line', async () => {
  const { AWS_ACCESS_KEY_ID, ...rest } = VARIABLES
  delete process.env['AWS_ACCESS_KEY_ID']
  try {
    await assert.rejects(open(), { message: /^missing setting: STORAGE_URL needs AWS_ACCESS_KEY_ID and [^\n]*$/ })
  } finally {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID, ...rest })
  }
})
