import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { budgets, explainLosses, extractFigures, findMisses, summarize } from '../../lighthouse/budgets.mjs'
import { adminPages, formPages, ownerPages, textPages } from '../../web/pages.mjs'
import { root } from './root.mjs'

const text = { path: '/privacy', kind: 'text', listed: true }
const app = { path: '/dashboard', kind: 'owner', listed: false }
const good = { ...budgets.text, performance: 99, bytes: 70_000, scriptBytes: 0, lcpMs: 1400 }

/** Creates a report like one of Lighthouse, with these scores; its page loads one script twice and asks not to be listed. */
function report({ title = 1, crawlable = 0, performance = 0.97 } = {}) {
  const script = { resourceType: 'Script', url: 'http://localhost/a.js', transferSize: 1000 }
  return {
    categories: {
      performance: { score: performance, auditRefs: [{ id: 'largest-contentful-paint', weight: 25 }] },
      accessibility: { score: 1, auditRefs: [] },
      'best-practices': { score: 1, auditRefs: [] },
      seo: {
        score: 0.6,
        auditRefs: [
          { id: 'is-crawlable', weight: 4 },
          { id: 'document-title', weight: 1 },
          { id: 'canonical', weight: 1 },
          { id: 'hreflang', weight: 1 },
        ],
      },
    },
    audits: {
      'is-crawlable': { id: 'is-crawlable', score: crawlable },
      'document-title': {
        id: 'document-title',
        score: title,
        displayValue: 'no title',
        details: { items: [{ node: { selector: 'html' } }] },
      },
      canonical: { id: 'canonical', score: null },
      hreflang: { id: 'hreflang', score: 1 },
      'largest-contentful-paint': { id: 'largest-contentful-paint', score: 0.9, numericValue: 2300.4 },
      'cumulative-layout-shift': { id: 'cumulative-layout-shift', score: 1, numericValue: 0 },
      'network-requests': { details: { items: [{ resourceType: 'Document', transferSize: 500 }, script, script] } },
    },
  }
}

test('the result of a page is the median of what is timed and the worst of everything else', () => {
  const runs = [
    { ...good, performance: 80, lcpMs: 4000 },
    { ...good, performance: 98, lcpMs: 1500, accessibility: 97 },
    { ...good, performance: 100, lcpMs: 1300, cls: 0.02 },
  ]
  const summary = summarize(runs)
  assert.deepEqual({ ...summary }, { ...good, performance: 98, lcpMs: 1500, accessibility: 97, cls: 0.02 })
  assert.deepEqual(findMisses(summary, 'text'), [
    { figure: 'accessibility', is: 97, budget: 100 },
    { figure: 'cls', is: 0.02, budget: 0 },
  ])
})

test('only a page that is to be listed loses points by asking not to be', () => {
  const compressed = () => 0
  assert.equal(extractFigures(report(), text, compressed).seo, 60)
  assert.equal(extractFigures(report(), app, compressed).seo, 100)
  assert.equal(extractFigures(report({ title: 0 }), app, compressed).seo, 50)
  assert.deepEqual(explainLosses(report({ title: 0 }), 'seo', app), ['document-title  no title  html'])
  assert.deepEqual(explainLosses(report(), 'seo', text), ['is-crawlable'])
})

test('every page of the routes is measured, except those without an address of their own', () => {
  const routes = readFileSync(join(root, 'web/src/routes.ts'), 'utf8')
  const inRoutes = [...routes.matchAll(/\broute\('([\w/-]+)'/g)].map(([, path]) => `/${path}`)
  // the pages for unknown addresses, for no connection and after a sent form have no address that people visit
  const notMeasured = ['/404', '/offline', '/contact-us/sent', '/contact-us/again']
  const measured = [...textPages, ...formPages, ...ownerPages, ...adminPages]
  const missing = inRoutes.filter((path) => !notMeasured.includes(path) && !measured.includes(path))
  assert.deepEqual(missing, [])
  assert.ok(inRoutes.length > 10, 'the routes were read')
})
