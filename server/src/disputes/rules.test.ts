import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../refusal.ts'
import { DAY_S } from '../time.ts'
import { assertCanChallenge, pausesPlate } from './rules.ts'

test('a person with no open challenge and two recent ones may start another', () => {
  assertCanChallenge({ open: 0, recent: 2, oldest_ends_in_s: 10 })
})

test('one open challenge, or three recent ones, are the maximum', () => {
  const refusal = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code
  assert.throws(() => assertCanChallenge({ open: 1, recent: 1, oldest_ends_in_s: 10 }), refusal('open_challenge'))
  assert.throws(() => assertCanChallenge({ open: 0, recent: 3, oldest_ends_in_s: 10 }), refusal('too_many_challenges'))
})

test('a challenge pauses a plate unless it is verified, or has survived one in 90 days', () => {
  assert.equal(pausesPlate({ status: 'active', survivedAgoS: null }), true)
  assert.equal(pausesPlate({ status: 'approved', survivedAgoS: 90 * DAY_S }), true)
  assert.equal(pausesPlate({ status: 'active', survivedAgoS: 90 * DAY_S - 1 }), false)
  assert.equal(pausesPlate({ status: 'verified', survivedAgoS: null }), false)
})
