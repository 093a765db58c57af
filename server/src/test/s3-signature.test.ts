import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, beforeEach, test } from 'node:test'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { loadConfig } from '../config.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { MINUTE_MS } from '../time.ts'
import { startFakeS3 } from './fake-s3.ts'
import { checkSignature } from './s3-signature.ts'

// The store of the tests refuses what S3 refuses: what the client of the product sent is changed on its way there.

type Sent = { method: string; url: string; headers: Record<string, string>; body: Buffer }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

const s3 = await startFakeS3()
let sent: Sent | undefined
/** Stands where the client believes the store to be. */
const recorder = createServer((incoming, response) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => void chunks.push(chunk))
  incoming.on('end', () => {
    const { method = '', url = '', headers } = incoming
    sent = { method, url, headers: headers as Record<string, string>, body: Buffer.concat(chunks) }
    response.end()
  })
}).listen(0, '127.0.0.1')
await once(recorder, 'listening')
const endpoint = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`
after(() => {
  recorder.close()
  s3.close()
})
beforeEach(() => {
  s3.objects.clear()
})

/** Returns what the client of the product sends to store a file. */
async function recordPut(): Promise<Sent> {
  const store = await openFileStore(
    loadConfig({ STORAGE_URL: `s3://platenote-files?endpoint=${endpoint}&region=ca-central-1` }),
  )
  await store.put('abcdefgh.webp', Buffer.from('a sealed photo'))
  return sent!
}

/** Sends a request to the store as it was recorded, and returns the status and the code of its answer. */
async function replay({ method, url, headers, body }: Sent): Promise<string> {
  const call = request(s3.endpoint + url, { method, headers })
  call.end(body)
  const [response] = await once(call, 'response')
  const text = (await response.toArray()).join('')
  return `${response.statusCode} ${/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''}`.trim()
}

const withHeaders = (put: Sent, headers: Record<string, string>): Sent => ({
  ...put,
  headers: { ...put.headers, ...headers },
})

test('the examples of the documentation of S3 have the signatures given there', () => {
  const key = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' }
  const check = (method: string, url: string, extra: Record<string, string>, body: string, signature: string) => {
    const signed: Record<string, string> = {
      ...extra,
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-content-sha256': sha256(body),
      'x-amz-date': '20130524T000000Z',
    }
    const names = Object.keys(signed).sort().join(';')
    const authorization = `AWS4-HMAC-SHA256 Credential=${key.id}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`
    const headers = { ...signed, authorization }
    const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    const now = Date.UTC(2013, 4, 24)
    assert.deepEqual(checkSignature({ method, url, headers, headersDistinct }, Buffer.from(body), key, now), {
      outcome: 'signed',
      bytes: Buffer.from(body),
    })
  }
  check(
    'GET',
    '/test.txt',
    { range: 'bytes=0-9' },
    '',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
  check(
    'PUT',
    '/test$file.text',
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    'Welcome to Amazon S3.',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  )
  check('GET', '/?lifecycle', {}, '', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543')
  check('GET', '/?max-keys=2&prefix=J', {}, '', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7')
})

test('what was changed on its way is refused, and nothing of it is stored', async () => {
  const put = await recordPut()
  const { authorization, ...unsigned } = put.headers
  const other = Buffer.from('another photo.')
  assert.equal(other.length, put.body.length)
  const changes: [what: string, changed: Sent, answer: string][] = [
    ['the path', { ...put, url: put.url.replace('abcdefgh', 'abcdefgx') }, '403 SignatureDoesNotMatch'],
    ['the query', { ...put, url: put.url.replace('PutObject', 'GetObject') }, '403 SignatureDoesNotMatch'],
    ['the method', { ...put, method: 'DELETE' }, '403 SignatureDoesNotMatch'],
    ['a signed header', withHeaders(put, { 'content-type': 'text/html' }), '403 SignatureDoesNotMatch'],
    ['a header that is new', withHeaders(put, { 'x-amz-acl': 'public-read' }), '403 AccessDenied'],
    ['the body', { ...put, body: other }, '400 XAmzContentSHA256Mismatch'],
    [
      'the body and its hash',
      withHeaders({ ...put, body: other }, { 'x-amz-content-sha256': sha256(other) }),
      '403 SignatureDoesNotMatch',
    ],
    [
      'the body, with its hash no longer signed',
      withHeaders({ ...put, body: other }, { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }),
      '403 SignatureDoesNotMatch',
    ],
    [
      'the time',
      withHeaders(put, {
        'x-amz-date': put.headers['x-amz-date']!.replace(/.Z$/, (end) => (end === '0Z' ? '1Z' : '0Z')),
      }),
      '403 SignatureDoesNotMatch',
    ],
    [
      'the signature',
      withHeaders(put, { authorization: `${authorization!.slice(0, -64)}${'0'.repeat(64)}` }),
      '403 SignatureDoesNotMatch',
    ],
    [
      'the key',
      withHeaders(put, { authorization: authorization!.replace('KEYOF', 'KEYNOTOF') }),
      '403 InvalidAccessKeyId',
    ],
    [
      'the region',
      withHeaders(put, { authorization: authorization!.replace('ca-central-1', 'us-east-1') }),
      '400 AuthorizationHeaderMalformed',
    ],
    ['the signature is gone', { ...put, headers: unsigned }, '403 AccessDenied'],
  ]
  for (const [what, changed, answer] of changes) assert.equal(await replay(changed), answer, what)
  assert.equal(s3.objects.size, 0)
  assert.equal(await replay(put), '200')
  assert.equal(s3.objects.size, 1)
})

test('a request signed with another secret, or more than 15 minutes ago or ahead, is refused', async (t) => {
  const put = await recordPut()
  const { secret } = s3
  t.after(() => Object.assign(s3, { secret, clockAheadMs: 0 }))
  s3.secret = `${secret}.`
  assert.equal(await replay(put), '403 SignatureDoesNotMatch')
  s3.secret = secret
  for (const minutes of [16, -16]) {
    s3.clockAheadMs = minutes * MINUTE_MS
    assert.equal(await replay(put), '403 RequestTimeTooSkewed')
  }
  assert.equal(s3.objects.size, 0)
  for (const minutes of [14, -14]) {
    s3.clockAheadMs = minutes * MINUTE_MS
    assert.equal(await replay(put), '200')
  }
})

test('the chunks of a stream are joined, and refused when they are not those of the checksum behind them', async () => {
  const client = new S3Client({ endpoint, forcePathStyle: true, region: 'ca-central-1' })
  const bytes = Buffer.alloc(200_000, 'a stream of bytes')
  const Body = Readable.from([bytes.subarray(0, 70_000), bytes.subarray(70_000)])
  await client.send(new PutObjectCommand({ Bucket: 'streams', Key: 'one', Body, ContentLength: bytes.length }))
  const put = sent!
  assert.equal(put.headers['x-amz-content-sha256'], 'STREAMING-UNSIGNED-PAYLOAD-TRAILER')
  const changed = Buffer.from(put.body)
  changed[1_000]! ^= 1
  assert.equal(await replay({ ...put, body: changed }), '400 BadDigest')
  assert.equal(await replay({ ...put, body: put.body.subarray(0, 100_000) }), '400 BadDigest')
  assert.equal(await replay(withHeaders(put, { 'x-amz-decoded-content-length': '1' })), '403 SignatureDoesNotMatch')
  assert.equal(s3.objects.size, 0)
  assert.equal(await replay(put), '200')
  assert.deepEqual(s3.objects.get('/streams/one'), bytes)
})
