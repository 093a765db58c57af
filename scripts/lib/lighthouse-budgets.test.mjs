import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  budgets,
  describeFailure,
  explainLosses,
  extractFigures,
  findMisses,
  median,
  summarize,
} from './lighthouse-budgets.mjs'

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

test('the median is the middle of the sorted runs, and between two their mean', () => {
  assert.equal(median([9, 100, 10]), 10)
  assert.equal(median([99, 97]), 98)
  assert.equal(median([95]), 95)
})

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

test('a budget is met by the figure that reaches it and missed by the next', () => {
  const least = { ...budgets.text }
  assert.deepEqual(findMisses(least, 'text'), [])
  const over = { performance: 97, accessibility: 99, 'best-practices': 99, seo: 99, scripts: 1 }
  const heavier = { bytes: 92_161, lcpMs: 1501, cls: 0.001 }
  assert.deepEqual(
    findMisses({ ...over, ...heavier }, 'text').map(({ figure }) => figure),
    Object.keys(budgets.text),
  )
  const scripts = { ...budgets.form, scripts: 20, bytes: 400_000, lcpMs: 3000, cls: 0.1 }
  assert.deepEqual(findMisses(scripts, 'form'), [], 'forms and the app have no budget for these')
  assert.deepEqual(findMisses({ ...scripts, scriptBytes: 160_001 }, 'owner'), [
    { figure: 'scriptBytes', is: 160_001, budget: 160_000 },
  ])
})

test('the figures of a report count a script once by its file, and every transfer by its bytes', () => {
  const { scripts, scriptBytes, bytes, lcpMs, performance } = extractFigures(report(), app, () => 700)
  assert.deepEqual(
    { scripts, scriptBytes, bytes, lcpMs, performance },
    { scripts: 2, scriptBytes: 700, bytes: 2500, lcpMs: 2300, performance: 97 },
  )
})

test('only a page that is to be listed loses points by asking not to be', () => {
  const compressed = () => 0
  assert.equal(extractFigures(report(), text, compressed).seo, 60)
  assert.equal(extractFigures(report(), app, compressed).seo, 100)
  assert.equal(extractFigures(report({ title: 0 }), app, compressed).seo, 50)
  assert.deepEqual(explainLosses(report({ title: 0 }), 'seo', app), ['document-title  no title  html'])
  assert.deepEqual(explainLosses(report(), 'seo', text), ['is-crawlable'])
})

test('a run without a score says why', () => {
  assert.equal(describeFailure(report()), undefined)
  assert.equal(
    describeFailure({ ...report(), runtimeError: { code: 'NO_FCP', message: 'no paint' } }),
    'NO_FCP: no paint',
  )
  const broken = report({ performance: null })
  broken.audits['speed-index'] = { id: 'speed-index', scoreDisplayMode: 'error', errorMessage: 'no frames' }
  assert.equal(describeFailure(broken), 'no score for performance (speed-index: no frames)')
})
