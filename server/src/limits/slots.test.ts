import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlots } from './slots.ts'

test('a user has a few slots, and can use them again', () => {
  const acquire = createSlots({ perUser: 2 })
  const release = acquire('a')
  acquire('a')
  assert.throws(() => acquire('a'), { code: 'too_many_requests' })
  acquire('b')
  release()
  acquire('a')
  assert.throws(() => acquire('a'), { code: 'too_many_requests' })
})

test('all users together have a limit, too', () => {
  const acquire = createSlots({ perUser: 1, total: 24 })
  const releases = Array.from({ length: 24 }, (_, i) => acquire(`user ${i}`))
  assert.throws(() => acquire('one more'), { code: 'busy' })
  for (const release of releases) release()
  acquire('one more')
})
