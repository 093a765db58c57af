import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUploadSlots } from './upload-slots.ts'

test('one person has a few places, and gets them back', () => {
  const take = createUploadSlots(2)
  const leave = take('a')
  take('a')
  assert.throws(() => take('a'), { code: 'too_many_requests' })
  take('b')
  leave()
  take('a')
  assert.throws(() => take('a'), { code: 'too_many_requests' })
})

test('all together have a limit too', () => {
  const take = createUploadSlots(1)
  const leaves = Array.from({ length: 24 }, (_, i) => take(`person ${i}`))
  assert.throws(() => take('one more'), { code: 'busy' })
  for (const leave of leaves) leave()
  take('one more')
})
