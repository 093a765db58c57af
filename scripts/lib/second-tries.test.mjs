import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { root } from './root.mjs'
import { sumSecondTries } from './second-tries.mjs'

const folder = mkdtempSync(join(tmpdir(), 'platenote-tries-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('a unit test that passes only when repeated is in the sum that npm test prints', () => {
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
  const file = join(folder, 'tries')
  assert.equal(sumSecondTries(file), 0)
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env // it would make the inner run part of this one
  const run = () =>
    spawnSync(process.execPath, [join(root, 'scripts/test-unit.mjs'), flaky], {
      env: { ...env, CI: '1', SECOND_TRIES_FILE: file },
      encoding: 'utf8',
    })
  const first = run()
  assert.equal(first.status, 0, first.stdout)
  assert.match(first.stdout, /^second tries: 1$/m)
  assert.equal(sumSecondTries(file), 1)
  assert.match(run().stdout, /^second tries: 0$/m)
  assert.equal(sumSecondTries(file), 1)
})
