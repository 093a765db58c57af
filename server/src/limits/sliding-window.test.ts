import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlidingWindow } from './sliding-window.ts'

test('requests up to the limit are allowed, and another one when the wait it was given is over', () => {
  const take = createSlidingWindow(3, 60)
  for (const at of [0, 10, 20]) assert.deepEqual(take('a', at), { allowed: true, retryAfterS: 0 })
  const refused = take('a', 30_000)
  assert.equal(refused.allowed, false)
  assert.ok(refused.retryAfterS > 30 && refused.retryAfterS <= 31, String(refused.retryAfterS))
  const next = 30_000 + refused.retryAfterS * 1000
  assert.equal(take('a', next).allowed, true)
  const again = take('a', next)
  assert.equal(again.allowed, false)
  assert.equal(take('a', next + (again.retryAfterS - 2) * 1000).allowed, false)
  assert.equal(take('a', next + again.retryAfterS * 1000).allowed, true)
})

test('a caller who keeps trying gets the limit and no more, and does not wait longer for it', () => {
  const take = createSlidingWindow(300, 60)
  let allowed = 0
  for (let at = 0; at < 600_000; at += 50) if (take('a', at).allowed) allowed++
  // ten windows, each of which begins with what the previous one leaves
  assert.ok(allowed > 9 * 300 && allowed <= 10 * 300 + 300, String(allowed))
})

test('a pause resets the count, and callers do not count for each other', () => {
  const take = createSlidingWindow(1, 60)
  assert.equal(take('a', 0).allowed, true)
  assert.equal(take('b', 0).allowed, true)
  assert.equal(take('a', 1).allowed, false)
  assert.equal(take('a', 130_000).allowed, true)
})

test('no more callers are remembered than allowed: the oldest is evicted', () => {
  const take = createSlidingWindow(1, 60, 1_000)
  for (let caller = 0; caller < 1_500; caller++) take(String(caller), caller)
  assert.equal(take('1499', 1_500).allowed, false)
  assert.equal(take('500', 1_500).allowed, false)
  assert.equal(take('0', 1_500).allowed, true)
})
