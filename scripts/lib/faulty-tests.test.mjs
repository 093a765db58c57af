import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readFaultyTests } from './faulty-tests.mjs'
import { root } from './root.mjs'

const folder = mkdtempSync(join(tmpdir(), 'platenote-tries-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a file of unit tests as `npm test` does, and returns how that ended and what was collected. */
function runUnitTests(file) {
  const collected = join(folder, 'collected')
  rmSync(collected, { force: true })
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env // it would make the inner run part of this one
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'scripts/test-unit.mjs'), file], {
    env: { ...env, CI: '1', FAULTY_TESTS_FILE: collected },
    encoding: 'utf8',
  })
  return { status, stdout, ...readFaultyTests(collected) }
}

test('a unit test that passes only when repeated is counted and named where npm test ends', () => {
  const flaky = join(folder, 'flaky.test.mjs')
  writeFileSync(
    flaky,
    `import { existsSync, writeFileSync } from 'node:fs'
    import { test } from 'node:test'
    test('passes when repeated', () => {
      if (existsSync('${folder}/tried')) return
      writeFileSync('${folder}/tried', '')
      throw new Error('the first try')
    })`,
  )
  const first = runUnitTests(flaky)
  assert.equal(first.status, 0, first.stdout)
  assert.match(first.stdout, /^second tries: 1$/m)
  assert.equal(first.secondTries, 1)
  assert.match(first.lines.join('\n'), /^passed when repeated: ✖ passes when repeated/)
  const { stdout, secondTries, lines } = runUnitTests(flaky)
  assert.match(stdout, /^second tries: 0$/m)
  assert.deepEqual([secondTries, lines], [0, []])
})

test('a unit test that fails again is named where npm test ends', () => {
  const broken = join(folder, 'broken.test.mjs')
  writeFileSync(broken, `import { test } from 'node:test'; test('is broken', () => { throw new Error('always') })`)
  const { status, secondTries, lines } = runUnitTests(broken)
  assert.deepEqual([status, secondTries], [1, 1])
  assert.match(lines.join('\n'), /^✖ is broken/m)
})

test('a run without faulty tests has collected nothing', () => {
  assert.deepEqual(readFaultyTests(join(folder, 'nobody-wrote-this')), { secondTries: 0, lines: [] })
})
