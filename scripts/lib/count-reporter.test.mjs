import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = mkdtempSync(join(tmpdir(), 'platenote-count-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

async function runReporter(files) {
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source)
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env // it would make the inner run a part of this one
  const reporter = fileURLToPath(new URL('count-reporter.mjs', import.meta.url))
  const args = ['--test', '--test-reporter', reporter, ...Object.keys(files)]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(output)
}

test('tests are counted, suites are not, and a file without a test counts as failed', async () => {
  const counts = await runReporter({
    'some.test.mjs': `
      import { describe, test } from 'node:test'
      describe('a suite', () => { test('good', () => {}); test('bad', () => { throw new Error('bad') }) })
      test('later', { skip: true }, () => {})`,
    'none.test.mjs': 'export const nothing = 1',
    'broken.test.mjs': 'throw new Error("does not load")',
  })
  assert.deepEqual(counts, { passed: 1, failed: 3, skipped: 1, empty: ['none.test.mjs'] })
})
