import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { acceptedEncodings } from '../http/static-pages.ts'
import { testApp } from '../test/app.ts'
import { rawRequest } from '../test/raw-request.ts'
import catalogue from './make-models.json' with { type: 'json' }

const app = await testApp()

/** Requests the catalogue as it is sent: fetch would decompress it. */
const requestCatalogue = (headers: Record<string, string>) => rawRequest(app.url, '/make_models.json', { headers })

test('the catalogue is public, small as browsers get it, and not sent again to a client that has it in that encoding', async () => {
  const br = { 'accept-encoding': 'gzip, deflate, br' }
  const { status, headers, bytes } = await requestCatalogue(br)
  assert.deepEqual([status, headers['content-encoding'], headers['vary']], [200, 'br', 'Accept-Encoding'])
  assert.equal(headers['cache-control'], 'public, max-age=3600')
  assert.deepEqual(JSON.parse(brotliDecompressSync(bytes).toString()), catalogue)
  assert.ok(bytes.length <= 20_000, `${bytes.length} bytes`)
  const etag = { 'if-none-match': String(headers['etag']) }
  const again = await requestCatalogue({ ...br, ...etag })
  assert.deepEqual([again.status, again.bytes.length, again.headers['etag']], [304, 0, headers['etag']])
  const plain = await requestCatalogue(etag)
  assert.deepEqual([plain.status, plain.headers['content-encoding']], [200, undefined])
  assert.deepEqual(JSON.parse(plain.bytes.toString()), catalogue)
})

test('parsing a header full of white space takes linear time', { timeout: 60_000 }, () => {
  assert.deepEqual([...acceptedEncodings(`br , gzip ; q=0, a${' '.repeat(500_000)}b`)].slice(0, 1), ['br'])
})

const OTHER = 'Other'
const models: Record<string, string[]> = catalogue

/** Sorts as people expect: numbers by value (2 before 10), without case and accents (Škoda between Scion and smart). */
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare

/** Two names with the same key look like one vehicle to a person: "S-10" and "s10". */
const lookAlikeKey = (name: string): string => name.toLowerCase().replace(/[\s-]/g, '')

test('makes, and the models of each, are sorted and listed once, written as one expects, with "Other" at the end', () => {
  for (const names of [Object.keys(models), ...Object.values(models)]) {
    assert.equal(names.at(-1), OTHER)
    assert.deepEqual(names.slice(0, -1), names.slice(0, -1).toSorted(byName))
    assert.equal(new Set(names.map(lookAlikeKey)).size, names.length, names.join())
    for (const name of names) assert.ok(/^\S+( \S+)*$/.test(name) && name === name.normalize('NFC'), name)
  }
})
