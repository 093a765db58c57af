import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInForeground } from './process.mjs'

const run = (code, options) => runInForeground(process.execPath, ['-e', code], { stdio: 'ignore', ...options })

test('a program that does not end is ended after its limit, and has failed', async () => {
  assert.equal(await run('setInterval(() => {}, 1000)', { limitMs: 200 }), 128 + 15)
})

test('a program that ends within its limit returns its own exit code', async () => {
  assert.equal(await run('process.exitCode = 3', { limitMs: 60_000 }), 3)
})
