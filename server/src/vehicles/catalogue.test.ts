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
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
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

// --- what is in it

const OTHER = 'Other'
const MAX_NAME_LENGTH_CHARACTERS = 40

const models: Record<string, string[]> = catalogue
const makes = Object.keys(models)
const realMakes = makes.filter((make) => make !== OTHER)

/** Sorts as people expect: numbers by value (2 before 10), without case and accents (Škoda between Scion and smart). */
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare

/** Two names with the same key look like one vehicle to a person: "S-10" and "s10". */
const lookAlikeKey = (name: string): string => name.toLowerCase().replace(/[\s-]/g, '')

/** Finds the names that repeat an earlier one. */
function findRepeated(names: string[]): string[] {
  const keys = names.map(lookAlikeKey)
  return names.filter((_, index) => keys.indexOf(keys[index] ?? '') !== index)
}

test('at least two hundred makes are listed, each with a model other than "Other"', () => {
  assert.ok(realMakes.length >= 200, `only ${realMakes.length} makes`)
  assert.deepEqual(
    realMakes.filter((make) => (models[make] ?? []).length < 2),
    [],
  )
})

test('"Other" is the last make and the last model of every make, and is nowhere else', () => {
  assert.equal(makes.at(-1), OTHER)
  assert.deepEqual(models[OTHER], [OTHER])
  for (const make of makes) {
    const names = models[make] ?? []
    assert.equal(names.indexOf(OTHER), names.length - 1, make)
  }
})

test('makes and models are sorted as people expect', () => {
  assert.deepEqual(realMakes, realMakes.toSorted(byName))
  for (const make of realMakes) {
    const names = (models[make] ?? []).slice(0, -1)
    assert.deepEqual(names, names.toSorted(byName), make)
  }
})

test('no make is listed twice, and no model twice under its make', () => {
  assert.deepEqual(findRepeated(makes), [])
  for (const make of makes) assert.deepEqual(findRepeated(models[make] ?? []), [], make)
})

test('every name is short, trimmed, single-spaced and in Unicode form NFC', () => {
  for (const name of [...makes, ...Object.values(models).flat()]) {
    assert.notEqual(name, '')
    assert.ok(name.length <= MAX_NAME_LENGTH_CHARACTERS, name)
    assert.equal(name, name.trim().replace(/\s+/g, ' '))
    assert.equal(name, name.normalize('NFC'))
  }
})
