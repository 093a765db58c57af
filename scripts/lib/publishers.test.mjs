import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { compareWithPublisher, listPinned, publisherOf } from './publishers.mjs'
import { root } from './root.mjs'

const folder = mkdtempSync(join(tmpdir(), 'platenote-publisher-'))
const ours = join(folder, 'package')
/** What the publisher serves, by path. */
const files = new Map()
const server = createServer((request, response) => {
  const file = files.get(request.url)
  response.writeHead(file ? 200 : 404).end(file)
})
let url

before(async () => {
  mkdirSync(join(ours, 'native/lib'), { recursive: true })
  mkdirSync(join(ours, 'native/bin'))
  writeFileSync(join(ours, 'native/bin/postgres'), 'the program')
  writeFileSync(join(ours, 'native/lib/libpq.so.5.18'), 'the library')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${server.address().port}`
})
after(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Packs a publisher's programs, by their path, as tar. */
function tarOf(programs) {
  const contents = mkdtempSync(join(folder, 'contents-'))
  for (const [path, text] of Object.entries(programs)) {
    mkdirSync(join(contents, path, '..'), { recursive: true })
    writeFileSync(join(contents, path), text)
  }
  const archive = `${contents}.tar.gz`
  execFileSync('tar', ['-czf', archive, '-C', contents, '.'])
  return readFileSync(archive)
}

/** Publishes an archive with its sum, or another sum, and compares the package with it. */
function comparePublished(name, bytes, sum = createHash('sha256').update(bytes).digest('hex')) {
  files.set(`/${name}`, bytes)
  files.set('/sums', Buffer.from(sum))
  const publisher = { archive: `${url}/${name}`, sums: `${url}/sums`, algorithm: 'sha256', findSum: (text) => text }
  return compareWithPublisher(ours, publisher, join(folder, 'work'))
}

const same = { 'bin/postgres': 'the program', 'lib/libpq.so.5': 'the library', 'share/x.sql': 'more' }

test('programs that their publisher has are the same, whatever they are called there', async () => {
  assert.deepEqual(await comparePublished('a.tar.gz', tarOf(same)), { reachable: true, differing: [] })
})

test('a program that its publisher has otherwise, or not at all, is named', async () => {
  const changed = tarOf({ ...same, 'bin/postgres': 'another program' })
  assert.deepEqual((await comparePublished('a.tar.gz', changed)).differing, ['native/bin/postgres'])
  const { 'lib/libpq.so.5': _, ...fewer } = same
  assert.deepEqual((await comparePublished('a.tar.gz', tarOf(fewer))).differing, ['native/lib/libpq.so.5.18'])
})

test('an archive without the publisher’s own sum is not believed', async () => {
  const { differing } = await comparePublished('a.tar.gz', tarOf(same), 'f'.repeat(64))
  assert.match(differing.join(), /does not have the sum/)
})

test('every pinned package has a publisher, with whose programs it was compared (node scripts/verify-binaries.mjs)', () => {
  const pinned = listPinned()
  assert.equal(Object.keys(pinned).length, 10) // Node and PostgreSQL, for five platforms each
  assert.deepEqual(pinned, JSON.parse(readFileSync(join(root, 'scripts/compared-binaries.json'), 'utf8')))
  for (const pin of Object.keys(pinned))
    assert.match(publisherOf(pin).archive, /^https:\/\/(?:nodejs\.org|repo1\.maven\.org)\/(?!.*undefined)/, pin)
})

test('no install script of a package runs, by hand or by a command of the project', () => {
  assert.match(readFileSync(join(root, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m)
})
