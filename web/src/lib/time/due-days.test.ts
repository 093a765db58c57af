import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysUntilDue } from './due-days.ts'

// the end of November 26 in Toronto, which is November 27 further east
const DUE = '2026-11-27T04:59:59.999Z'

for (const [now, days] of [
  ['2026-11-21T22:00:00Z', 5],
  ['2026-11-26T05:00:00Z', 0],
  ['2026-11-27T04:30:00Z', 0],
  ['2026-11-27T05:00:00Z', -1],
] as const) {
  test(`at ${now}, the end of November 26 in Toronto is ${days} days away`, () => {
    assert.equal(daysUntilDue(DUE, Date.parse(now)), days)
  })
}
