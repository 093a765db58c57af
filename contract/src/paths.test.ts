import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localizedPath } from './paths.ts'

test('French pages are under /fr, and the home page and its sections at /fr itself', () => {
  assert.equal(localizedPath('/', 'en'), '/')
  assert.equal(localizedPath('/', 'fr-CA'), '/fr')
  assert.equal(localizedPath('/#faq', 'fr-CA'), '/fr#faq')
  assert.equal(localizedPath('/?from=mail', 'fr-CA'), '/fr?from=mail')
  assert.equal(localizedPath('/about-us', 'fr-CA'), '/fr/about-us')
  assert.equal(localizedPath('/about-us', 'en'), '/about-us')
})
