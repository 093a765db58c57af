import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timelyAnswers } from './answers.ts'
import { ANSWERS, type MessageReason } from './messages.ts'
import { HOUR_MS, MINUTE_MS } from './time.ts'

const SENT_MS = Date.parse('2026-11-21T14:02:00Z')

const answersAfter = (ms: number, reason: MessageReason | null) =>
  timelyAnswers({ inserted_at: new Date(SENT_MS).toISOString(), reason }, SENT_MS + ms)

test('that somebody comes is offered for an hour, and in danger until it is answered', () => {
  assert.deepEqual(answersAfter(HOUR_MS - MINUTE_MS, 'blocked_in'), ANSWERS)
  assert.deepEqual(answersAfter(HOUR_MS, 'blocked_in'), ['not_my_car', 'thanks'])
  assert.deepEqual(answersAfter(HOUR_MS, null), ['not_my_car', 'thanks'])
  for (const reason of ['towing', 'someone_inside'] as const)
    assert.deepEqual(answersAfter(30 * 24 * HOUR_MS, reason), ANSWERS)
})
