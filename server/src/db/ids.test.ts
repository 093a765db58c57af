import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from './ids.ts'

test('ids are UUIDs of version 7 that rise strictly and never repeat', () => {
  const ids = Array.from({ length: 50_000 }, newId)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, ids.length)
})

test('an id has the time of its creation, to the millisecond', () => {
  const before = Date.now()
  const ms = Number.parseInt(newId().replace('-', '').slice(0, 12), 16)
  // the burst before has borrowed milliseconds, so an id may be a little ahead
  assert.ok(ms >= before && ms <= Date.now() + 1_000)
})
