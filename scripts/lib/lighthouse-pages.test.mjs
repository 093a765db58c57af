import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CliError } from './cli-error.mjs'
import { budgets } from './lighthouse-budgets.mjs'
import { pages, parseOptions } from './lighthouse-pages.mjs'
import { root } from './root.mjs'

test('every page of the routes is measured, except those without an address of their own', () => {
  const routes = readFileSync(join(root, 'web/src/routes.ts'), 'utf8')
  const inRoutes = [...routes.matchAll(/\broute\('([\w/-]+)'/g)].map(([, path]) => `/${path}`)
  // the pages for unknown addresses, for no connection and after a sent form have no address that people visit
  const notMeasured = ['/404', '/offline', '/contact-us/sent', '/contact-us/again']
  const measured = pages.map(({ path }) => path)
  const missing = inRoutes.filter((path) => !notMeasured.includes(path) && !measured.includes(path))
  assert.deepEqual(missing, [])
  assert.ok(inRoutes.length > 10, 'the routes were read')
  for (const { kind } of pages) assert.ok(budgets[kind])
})

test('public pages are measured in both languages', () => {
  for (const { path, kind } of pages.filter(({ path }) => !/^\/fr(\/|$)/.test(path))) {
    const french = pages.some((other) => other.path === (path === '/' ? '/fr' : `/fr${path}`))
    assert.equal(french, kind === 'text' || kind === 'form', path)
  }
})

test('single pages and the number of runs can be chosen', () => {
  assert.equal(parseOptions([]).runs, 5)
  assert.equal(parseOptions([]).pages, pages)
  const { runs, pages: chosen } = parseOptions(['--pages=/,/fr/verify-email', '--runs', '1'])
  assert.equal(runs, 1)
  assert.deepEqual(chosen, [
    { path: '/', kind: 'text', listed: true },
    { path: '/fr/verify-email', kind: 'form', listed: false },
  ])
  for (const wrong of [['--pages=/nowhere'], ['--runs=0'], ['--runs=some'], ['--page=/'], ['/']]) {
    assert.throws(() => parseOptions(wrong), CliError, wrong.join(' '))
  }
})
