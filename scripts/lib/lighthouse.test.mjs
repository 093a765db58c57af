import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { adminPages, formPages, ownerPages, plainFormPages, textPages } from '../../web/pages.mjs'
import { root } from './root.mjs'

test('every page of the routes is measured, except those without an address of their own', () => {
  const routes = readFileSync(join(root, 'web/src/routes.ts'), 'utf8')
  const inRoutes = [...routes.matchAll(/\broute\('([\w/-]+)'/g)].map(([, path]) => `/${path}`)
  // the pages for unknown addresses, for no connection and after a form have no address that people visit
  const notMeasured = ['/404', '/offline', '/contact-us/sent', '/n/opened', '/n/gone']
  const measured = [...textPages, ...plainFormPages, ...formPages, ...ownerPages, ...adminPages]
  const missing = inRoutes.filter((path) => !notMeasured.includes(path) && !measured.includes(path))
  assert.deepEqual(missing, [])
  assert.ok(inRoutes.length > 10, 'the routes were read')
})
