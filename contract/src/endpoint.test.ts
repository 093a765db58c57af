import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDashboard } from './dashboard.ts'

test('the type of an endpoint hides the properties that browsers do not have', () => {
  // @ts-expect-error -- exists on the server only: web/slim-contract.ts removes it from the web build
  assert.ok(getDashboard.input)
  // @ts-expect-error -- as above
  assert.ok(getDashboard.output)
  // @ts-expect-error -- as above
  assert.ok(getDashboard.summary)
})
