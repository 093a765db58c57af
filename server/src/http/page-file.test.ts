import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageFilePath } from './web-app.ts'

test('a page is found with and without slashes at the end of its address', () => {
  for (const path of ['/login', '/login/', '/login//']) assert.equal(pageFilePath(path), '/login/index.html')
  for (const path of ['/', '//', '']) assert.equal(pageFilePath(path), '/index.html')
})

test('an address of slashes costs no more than its length', { timeout: 10_000 }, () => {
  const long = `${'/'.repeat(500_000)}a`
  assert.equal(pageFilePath(long), `${long}/index.html`)
})
