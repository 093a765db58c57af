import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDashboard } from './dashboard.ts'

test('the type of an endpoint hides what browsers do not have of it', () => {
  // @ts-expect-error -- the server's alone: web/slim-contract.ts leaves it out of the web build
  assert.ok(getDashboard.input)
  // @ts-expect-error -- as above
  assert.ok(getDashboard.output)
  // @ts-expect-error -- as above
  assert.ok(getDashboard.summary)
})
