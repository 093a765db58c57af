import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settleWithin, withTimeout } from './timeout.ts'

const never = new Promise<void>(() => {})
const failed = () => Promise.reject(new Error('refused'))

test('withTimeout has the outcome of the work, or the message when that takes too long', async () => {
  assert.equal(await withTimeout(Promise.resolve('done'), 1_000, 'too late'), 'done')
  await assert.rejects(withTimeout(failed(), 1_000, 'too late'), { message: 'refused' })
  await assert.rejects(withTimeout(never, 5, 'too late'), { message: 'too late' })
})

test('settleWithin resolves whatever the work does, and however long it takes', async () => {
  await settleWithin(Promise.resolve('done'), 1_000)
  await settleWithin(failed(), 1_000)
  await settleWithin(never, 5)
})
