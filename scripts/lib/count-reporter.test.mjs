import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folders = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Runs node:test on these files with the reporter, and returns what it printed and the exit code. */
async function runReporter(files) {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-count-'))
  folders.push(folder)
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source)
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env // it would make the inner run part of this one
  const reporter = fileURLToPath(new URL('count-reporter.mjs', import.meta.url))
  const args = ['--test', '--test-reporter', reporter, '*.test.mjs']
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output, code }
}

const GOOD = `import { test } from 'node:test'; test('good', () => {})`

test('tests are counted, suites are not, and a file without a test counts as failed', async () => {
  const { output, code } = await runReporter({
    'some.test.mjs': `
      import { describe, test } from 'node:test'
      describe('a suite', () => { test('good', () => {}); test('bad', () => { throw new Error('bad') }) })
      test('later', { skip: true }, () => {})`,
    'none.test.mjs': 'export const nothing = 1',
    'broken.test.mjs': 'throw new Error("does not load")',
  })
  assert.equal(output, 'No test in none.test.mjs\n1 passed, 3 failed, 1 skipped\n')
  assert.equal(code, 1)
})

test('a run whose tests all pass ends well, one with an empty file or without any file does not', async () => {
  assert.deepEqual(await runReporter({ 'good.test.mjs': GOOD }), { output: '1 passed, 0 failed\n', code: 0 })
  assert.equal((await runReporter({ 'good.test.mjs': GOOD, 'none.test.mjs': 'export const nothing = 1' })).code, 1)
  assert.deepEqual(await runReporter({}), { output: 'No test ran\n0 passed, 0 failed\n', code: 1 })
})
