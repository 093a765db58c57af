import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './root.mjs'

const MAX_LINES = 400

/** Nobody reads a table from top to bottom. */
const LONG_TABLES = ['contract/src/errors.ts']

test('no file has more than 400 lines', () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = listed
    .split('\n')
    .filter((file) => /\.(?:tsx?|mts|mjs|js|css)$/.test(file) && existsSync(join(root, file)))
  assert.ok(files.length > 1000)
  const countLines = (file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1
  const long = files.filter((file) => !LONG_TABLES.includes(file) && countLines(file) > MAX_LINES)
  assert.deepEqual(long, [])
})
