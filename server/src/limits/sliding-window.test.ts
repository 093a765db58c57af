import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlidingWindow } from './sliding-window.ts'

test('a caller who keeps trying gets the limit and no more, and does not wait longer for it', () => {
  const take = createSlidingWindow(300, 60)
  let allowed = 0
  for (let at = 0; at < 600_000; at += 50) if (take('a', at).allowed) allowed++
  // ten windows, each of which begins with what the previous one leaves
  assert.ok(allowed > 9 * 300 && allowed <= 10 * 300 + 300, String(allowed))
})

test('no more callers are remembered than allowed: the oldest is evicted', () => {
  const take = createSlidingWindow(1, 60, 1_000)
  for (let caller = 0; caller < 1_500; caller++) take(String(caller), caller)
  assert.equal(take('1499', 1_500).allowed, false)
  assert.equal(take('500', 1_500).allowed, false)
  assert.equal(take('0', 1_500).allowed, true)
})
