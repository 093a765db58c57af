import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeRedirect } from './safe-redirect.ts'

test('a path of this site keeps its query and fragment', () => {
  for (const path of ['/', '/send', '/send?plate=ABC123', '/dashboard/messages?view=received#0198-a']) {
    assert.equal(safeRedirect(path), path)
  }
})

test('anything that a browser could read as another site is rejected', () => {
  const elsewhere = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
    'dashboard',
    ' /dashboard',
    '',
    null,
  ]
  for (const next of elsewhere) assert.equal(safeRedirect(next), null, JSON.stringify(next))
})
