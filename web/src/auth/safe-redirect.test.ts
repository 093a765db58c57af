import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSendPage, redirectTarget, safeRedirect } from './safe-redirect.ts'

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

test('who signs in goes where they wanted, then where the browser remembers they did, then to the dashboard', () => {
  const target = (search: string, remembered?: string) => {
    Object.assign(globalThis, { location: { search } })
    return redirectTarget(remembered)
  }
  assert.equal(target('?next=%2Fsend%3Fplate%3DABC123'), '/send?plate=ABC123')
  assert.equal(target('?next=%2Fdashboard%2Fprofile', '/send'), '/dashboard/profile')
  assert.equal(target('', '/send?plate=ABC123'), '/send?plate=ABC123')
  for (const elsewhere of ['//evil.example', '/\\evil.example'])
    assert.equal(target(`?next=${encodeURIComponent(elsewhere)}`, elsewhere), '/dashboard')
  assert.equal(target(''), '/dashboard')
})

test('only the page for sending a message counts as it', () => {
  for (const path of ['/send', '/send?plate=ABC123', '/send/#top']) assert.equal(isSendPage(path), true, path)
  for (const path of ['/sender', '/send/x', '/dashboard?next=/send', undefined])
    assert.equal(isSendPage(path), false, path)
})
