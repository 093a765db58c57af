import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { acceptedEncodings } from '../http/request-headers.ts'
import { testApp } from '../test/app.ts'
import catalogue from './make-models.json' with { type: 'json' }

const app = await testApp()
after(() => app.close())

type Raw = { status: number | undefined; headers: Record<string, unknown>; bytes: Buffer }

/** Requests the catalogue and returns the bytes as sent: fetch would decompress them. */
async function requestCatalogue(headers: Record<string, string> = {}): Promise<Raw> {
  const [response] = (await once(get(`${app.url}/make_models.json`, { headers }), 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await response.toArray())
  return { status: response.statusCode, headers: response.headers, bytes }
}

const encodings: [accepted: string | undefined, encoding: string | undefined, unpack: (bytes: Buffer) => Buffer][] = [
  [undefined, undefined, (bytes) => bytes],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ['br; q=0.0, deflate', undefined, (bytes) => bytes],
]

for (const [accepted, encoding, unpack] of encodings) {
  test(`the catalogue is public and cacheable, and sent as ${encoding ?? 'plain'} to a client that accepts ${accepted ?? 'nothing'}`, async () => {
    const { status, headers, bytes } = await requestCatalogue(
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    )
    assert.equal(status, 200)
    assert.equal(headers['content-encoding'], encoding)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['cache-control'], 'public, max-age=3600')
    assert.match(String(headers['vary']), /accept-encoding/i)
    assert.match(String(headers['etag']), /^"[\w-]{22}"$/)
    assert.deepEqual(JSON.parse(unpack(bytes).toString()), catalogue)
  })
}

test('the catalogue weighs at most 20 kB as browsers get it', async () => {
  const { bytes } = await requestCatalogue({ 'accept-encoding': 'gzip, deflate, br' })
  assert.ok(bytes.length <= 20_000, `${bytes.length} bytes`)
})

test('a client that has the catalogue gets 304 without a body; each encoding has its own tag', async () => {
  const { headers } = await requestCatalogue({ 'accept-encoding': 'br' })
  const etag = String(headers['etag'])
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { status, bytes, headers } = await requestCatalogue({ 'accept-encoding': 'br', 'if-none-match': tag })
    assert.equal(status, 304, tag)
    assert.equal(bytes.length, 0)
    assert.equal(headers['etag'], etag)
    assert.equal(headers['cache-control'], 'public, max-age=3600')
  }
  assert.equal((await requestCatalogue({ 'accept-encoding': 'br', 'if-none-match': '"other"' })).status, 200)
  assert.equal((await requestCatalogue({ 'accept-encoding': 'gzip', 'if-none-match': etag })).status, 200)
})

test('parsing a header full of white space takes linear time', { timeout: 10_000 }, () => {
  assert.deepEqual([...acceptedEncodings(`br , gzip ; q=0, a${' '.repeat(500_000)}b`)].slice(0, 1), ['br'])
})
