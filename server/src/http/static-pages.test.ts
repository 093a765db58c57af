import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { loadPages, sendPage } from './static-pages.ts'

test('a page whose compression failed is compressed at the next request', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'platenote-pages-'))
  t.after(() => rmSync(root, { recursive: true }))
  const text = 'x'.repeat(600)
  mkdirSync(join(root, 'client'))
  writeFileSync(join(root, 'client', 'index.html'), text)
  writeFileSync(join(root, 'csp.json'), '{}')
  const page = loadPages(root, (html) => html).get('/index.html')!
  const app = Fastify()
  app.get('/', (request, reply) => sendPage(request, reply, 200, page))
  t.after(() => app.close())
  const get = () => app.inject({ url: '/', headers: { 'accept-encoding': 'br' } })

  const { plain } = page
  page.plain = { length: plain.length } as Buffer // nothing zlib can read
  const failed = await get()
  assert.deepEqual([failed.statusCode, failed.headers['content-encoding']], [500, undefined])
  page.plain = plain
  const response = await get()
  assert.equal(response.statusCode, 200)
  assert.equal(brotliDecompressSync(response.rawPayload).toString(), text)
})
